import { CairnRefusal } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import { operations } from '../../../operations/index.ts'
import type { AnyAnswered } from '../../../operations/operation.ts'
import type { Method, MethodCall } from '../method-call.ts'
import { codes, ProtocolError } from '../protocol/json-rpc.ts'
import { withoutRepeats } from '../tools/state.ts'
import { type Place, placeIn, uriOf } from './resource-uri.ts'
import { forModels } from './tool-results.ts'

/** A list is looked through by a person or put into a context; the template reaches all other keys. */
const keysListedMax = 100
const keysBytesMax = 65_536

const json = 'application/json'
const markdown = 'text/markdown'
const documentTitle = 'Shared state as a document'

/** What a store of documents would file the state of a root under. */
function taggedWith(root: string) {
  return { _meta: { tags: [`root:${root}`, 'shared-state'] } }
}

/** What the session meant has: its state, its summary, and its keys, those that changed last first. */
export const resourcesListed: Method = async (call) => {
  const listed = await perform(call, operations.state.summary, {
    max_keys: keysListedMax,
    max_bytes: keysBytesMax,
  }).catch(withoutSession)
  if (listed === undefined) return { resources: [] }
  const root = String(listed.root_session_id)
  const whole = [
    { uri: uriOf({ root, part: 'state' }), name: 'state', title: 'Shared state', mimeType: json },
    {
      uri: uriOf({ root, part: 'document' }),
      name: 'document',
      title: documentTitle,
      mimeType: json,
      ...taggedWith(root),
    },
    { uri: uriOf({ root, part: 'summary' }), name: 'summary', title: 'Summary of the shared state', mimeType: json },
    { uri: uriOf({ root, part: 'brief' }), name: 'brief', title: 'Where the work stands', mimeType: markdown },
  ]
  const keys = (listed.keys as string[]).map((key) => ({
    uri: uriOf({ root, part: 'state', key }),
    name: key,
    mimeType: json,
  }))
  return { resources: [...whole, ...keys] }
}

/** Nothing is listed where nothing is meant; the tools say what is missing. */
function withoutSession(error: unknown): undefined {
  const codesWithout = ['no_session', 'ambiguous_id', 'session_not_found']
  if (error instanceof CairnRefusal && codesWithout.includes(error.code)) return undefined
  throw error
}

export const templatesListed: Method = () => ({
  resourceTemplates: [
    { uriTemplate: 'cairn://roots/{root}/state', name: 'state', title: 'Shared state of a root', mimeType: json },
    { uriTemplate: 'cairn://roots/{root}/state/{key}', name: 'key', title: 'One key of a root', mimeType: json },
    { uriTemplate: 'state:{root}', name: 'document', title: `${documentTitle}, without versions`, mimeType: json },
    { uriTemplate: 'cairn://roots/{root}/brief', name: 'brief', title: 'Where a root stands', mimeType: markdown },
    { uriTemplate: 'cairn://roots/{root}/summary', name: 'summary', title: 'Summary of a root', mimeType: json },
  ],
})

export const resourceRead: Method = async (call) => {
  const uri = uriGiven(call)
  try {
    const place = placeNamed(uri, call)
    if (place.part === 'document') return { contents: [{ uri, mimeType: json, ...(await documentOf(call, place)) }] }
    if (place.part === 'brief') {
      const { text } = await perform(call, operations.journal.brief, { session: place.root })
      return { contents: [{ uri, mimeType: markdown, text: String(text) }] }
    }
    const text = JSON.stringify(await contentsOf(call, place))
    return { contents: [{ uri, mimeType: json, text }] }
  } catch (error) {
    if (error instanceof CairnRefusal) throw notThere(uri, call, forModels(error.refusal).toJSON())
    throw error
  }
}

/** Nothing but the values, as a person would lay them out. */
async function documentOf(call: MethodCall, { root }: Place): Promise<{ text: string; _meta: object }> {
  const { root_session_id, state } = await perform(call, operations.state.all, { session: root })
  return { text: JSON.stringify(state, undefined, 2), ...taggedWith(String(root_session_id)) }
}

async function contentsOf(call: MethodCall, { root, part, key }: Place): Promise<Answer> {
  if (part === 'summary') return perform(call, operations.state.summary, { session: root })
  if (key !== undefined) return perform(call, operations.state.get, { session: root, key })
  return withoutRepeats(await perform(call, operations.state.all, { session: root }))
}

export function perform({ performer, signal }: MethodCall, operation: AnyAnswered, input: object): Promise<Answer> {
  return performer.execute(operation, input, signal)
}

export function uriGiven({ params }: MethodCall): string {
  if (typeof params.uri === 'string') return params.uri
  throw new ProtocolError(codes.params, 'uri is missing.')
}

export function placeNamed(uri: string, call: MethodCall): Place {
  const place = placeIn(uri)
  if (place !== undefined) return place
  throw notThere(uri, call, { hint: 'See resources/templates/list for all of them.' })
}

/** A resource that cannot be had, for whatever reason. */
export function notThere(uri: string, { revision }: MethodCall, why: { [name: string]: Json }): ProtocolError {
  const message = typeof why.message === 'string' ? why.message : 'There is no such resource.'
  return new ProtocolError(revision.stateless ? codes.params : codes.resource, message, {
    uri: uri.slice(0, 1024),
    ...why,
  })
}
