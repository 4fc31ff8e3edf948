import type { Stored } from '../stored.ts'
import { callsOf } from './calls.ts'

/** A message on its way out: its place in the conversation, and what it is besides a message. */
export type Outgoing = Stored & {
  readonly version: number
  /** Of a result: nobody knows whether the call took effect. */
  readonly outcome?: 'unknown'
  /** It stands for messages that were compacted. */
  readonly summary?: true
}

/** What a model is told of a call whose result is not known. */
export const unknownOutcome = 'outcome unknown: interrupted'

/**
 * The messages as every provider wants them: each call of an assistant's message has one result, directly behind that message. A
 * result that came late is moved there, and a call without one gets a result that says so.
 */
export function withUnknownOutcomes(stored: readonly Outgoing[]): readonly Outgoing[] {
  return inOrder(stored).messages
}

interface Turn {
  readonly entry: Outgoing
  /** Of an assistant's message: the result that counts for each call, none yet if undefined. */
  readonly results: Map<string, Node | undefined>
}

interface Node {
  readonly entry: Outgoing
  /** Those that were one message of the provider have one number. */
  readonly group: number
  /** Of a result: whose call it answers; undefined if that is not among the messages. */
  readonly owner: Turn | undefined
  readonly turn: Turn | undefined
}

/** The same, with the results that are left out: their call has another, or is not there (it was compacted, say). */
export function inOrder(stored: readonly Outgoing[]): {
  messages: readonly Outgoing[]
  repeated: Outgoing[]
  orphaned: Outgoing[]
} {
  if (isInOrder(stored)) return { messages: stored, repeated: [], orphaned: [] }
  const all = nodesOf(stored)
  const isRepeated = ({ entry, owner }: Node) =>
    owner !== undefined && owner.results.get(entry.call ?? '')?.entry !== entry
  const isOrphaned = ({ entry, owner }: Node) => entry.type === 'tool_result' && owner === undefined
  const nodes = all.filter((node) => !isRepeated(node) && !isOrphaned(node))
  const placed = new Set<Node>()
  const behind = new Map<Node, Outgoing[]>()
  for (const [at, node] of nodes.entries()) {
    if (node.turn === undefined || node.turn.results.size === 0) continue
    const inPlace = resultsBehind(nodes, at, node.turn)
    for (const result of inPlace) placed.add(result)
    behind.set(inPlace.at(-1) ?? node, missingResults(node.turn, new Set(inPlace)))
  }
  const begun = new Set<number>()
  const messages = nodes.flatMap((node) => {
    if (node.owner !== undefined && !placed.has(node)) return []
    const isJoined = begun.has(node.group)
    begun.add(node.group)
    return [marked(node.entry, isJoined), ...(behind.get(node) ?? [])]
  })
  const entriesOf = (which: (node: Node) => boolean) => all.filter(which).map(({ entry }) => entry)
  return { messages, repeated: entriesOf(isRepeated), orphaned: entriesOf(isOrphaned) }
}

/** Whether each message with calls is followed by their results and no result stands elsewhere: nearly always so, and quickly seen. */
function isInOrder(stored: readonly Outgoing[]): boolean {
  let open = new Set<string>()
  let before: Outgoing | undefined
  for (const entry of stored) {
    const { type, call, joined } = entry
    if (joined && (before === undefined || !mayBeJoined(before) || !mayBeJoined(entry))) return false
    before = entry
    if (type === 'tool_result') {
      if (call === undefined || !open.delete(call)) return false
    } else if (open.size > 0) return false
    else if (type === 'assistant_message' && entry.form !== undefined) {
      open = new Set(callsOf(entry).map(({ id }) => id))
    }
  }
  return open.size === 0
}

function nodesOf(stored: readonly Outgoing[]): Node[] {
  const turns = new Map<string, Turn>()
  const nodes: Node[] = []
  for (const entry of stored) {
    const last = nodes.at(-1)
    const isPart = entry.joined && last !== undefined && mayBeJoined(entry) && mayBeJoined(last.entry)
    const group = isPart ? last.group : (last?.group ?? 0) + 1
    const owner = entry.type === 'tool_result' ? turns.get(entry.call ?? '') : undefined
    const calls = callsOf(entry)
    const turn = calls.length === 0 ? undefined : { entry, results: new Map(calls.map(({ id }) => [id, undefined])) }
    const node = { entry, group, owner, turn }
    for (const { id } of calls) if (turn !== undefined) turns.set(id, turn)
    // What a tool said counts more than that its outcome was unknown for a time.
    const counted = owner?.results.get(entry.call ?? '')
    const isBetter = counted === undefined || (counted.entry.outcome === 'unknown' && entry.outcome === undefined)
    if (owner !== undefined && isBetter) owner.results.set(entry.call ?? '', node)
    nodes.push(node)
  }
  return nodes
}

function mayBeJoined({ type }: Outgoing): boolean {
  return type === 'user_message' || type === 'tool_result'
}

/**
 * The results that stand where a provider looks for them: those that follow directly, and those that were given together with them
 * or as parts of the message that follows.
 */
function resultsBehind(nodes: readonly Node[], at: number, turn: Turn): Node[] {
  const results: Node[] = []
  let next = at + 1
  while (nodes[next]?.owner === turn) results.push(nodes[next++] as Node)
  const group = nodes[results.length === 0 ? at + 1 : next - 1]?.group
  for (let node = nodes[next]; node !== undefined && node.group === group; node = nodes[++next]) {
    if (node.owner === turn) results.push(node)
  }
  return results
}

/** The results that came late, in the order of the calls, and one for each call that has none. */
function missingResults({ entry, results }: Turn, inPlace: ReadonlySet<Node>): Outgoing[] {
  return [...results].flatMap(([call, result]): Outgoing[] => {
    if (result === undefined) return [unknownResult(entry, call)]
    return inPlace.has(result) ? [] : [marked(result.entry, false)]
  })
}

function unknownResult({ version }: Outgoing, call: string): Outgoing {
  const message = { role: 'tool', tool_call_id: call, content: unknownOutcome }
  return { type: 'tool_result', form: 'openai', message, call, outcome: 'unknown', version }
}

function marked(entry: Outgoing, isJoined: boolean): Outgoing {
  if ((entry.joined === true) === isJoined) return entry
  const { joined: _, ...alone } = entry
  return isJoined ? { ...alone, joined: true } : alone
}
