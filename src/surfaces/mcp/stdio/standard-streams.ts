import { setMaxListeners } from 'node:events'
import type { Performer } from '../../../client/interface.ts'
import { sleep } from '../../../clock.ts'
import { Conversation } from '../conversation.ts'
import type { Asker, Offer } from '../method-call.ts'
import { codes, failed, noBatch, parse, type Reply } from '../protocol/json-rpc.ts'
import { type Line, lineBytesMax, readLines } from './lines.ts'

/** How often to look whether whoever started this is still there. */
const parentMs = 500
/** What was asked before the end is still answered, but not for longer than this. */
const graceMs = 1000

/** Whoever does what is asked, until it is closed. */
type ClosingPerformer = Performer & { meet(client: string): void; close(): Promise<void> }

/** Speaks on stdin and stdout until either ends, or whoever started it does. */
export async function converse(offer: Offer, performer: ClosingPerformer): Promise<void> {
  const write = reserveStdout()
  const send = (message: object) => void write(`${JSON.stringify(message)}\n`)
  const conversation = new Conversation(offer, send)
  const never = new AbortController().signal
  // All calls wait for it, however many they are.
  setMaxListeners(0, never)
  const meet = (client: string) => performer.meet(client)
  const asker: Asker = { performer, meet, notify: send, gone: never, stopping: never }
  const open = new Set<Promise<void>>()
  readLines(process.stdin, (line) => {
    const answering = repliesTo(line, conversation, asker, send).catch(offer.report)
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  })
  await ended()
  conversation.close()
  await Promise.race([Promise.all(open), sleep(graceMs)])
  await Promise.race([performer.close(), sleep(graceMs)])
}

async function repliesTo(
  line: Line,
  conversation: Conversation,
  asker: Asker,
  send: (message: object) => void,
): Promise<void> {
  if (typeof line === 'string') return send(unreadable(line))
  const parsed = parse(line.text)
  if ('one' in parsed) {
    const reply = await conversation.hear(parsed.one, asker)
    if (reply !== undefined) send(reply)
    return
  }
  if (!conversation.revision.batches) return send(failed(null, noBatch))
  const replies = await Promise.all(parsed.many.map((read) => conversation.hear(read, asker)))
  const given = replies.filter((reply) => reply !== undefined)
  if (given.length > 0) send(given)
}

function unreadable(line: Exclude<Line, object>): Reply {
  const why = line === 'too long' ? `A line can have at most ${lineBytesMax} bytes.` : 'A line is not UTF-8.'
  return failed(null, { code: line === 'too long' ? codes.request : codes.parse, message: why })
}

/** Whatever else prints, prints to stderr: a line that is no message would end the conversation. */
function reserveStdout(): (text: string) => boolean {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  return (text) => write(text)
}

/** When nobody speaks or listens any more, or this process is told to end. */
function ended(): Promise<void> {
  const parent = process.ppid
  return new Promise((resolve) => {
    const end = () => resolve()
    process.stdin.on('end', end)
    process.stdin.on('error', end)
    process.stdout.on('error', end)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
    // A sibling may still hold the other end of stdin when the parent is gone.
    setInterval(() => process.ppid !== parent && end(), parentMs).unref()
  })
}
