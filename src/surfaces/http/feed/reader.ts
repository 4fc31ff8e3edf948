import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { CairnRefusal, type Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Subscription } from './subscription.ts'

/** What all readers together may leave unread, and what each may: it is memory that all share. */
const unreadInAllMax = 128 * 1024 * 1024
const unreadMax = 4 * 1024 * 1024
const unreadMin = 64 * 1024

/** A reader that leaves more than this unread is cut off. */
function unreadBytesMax(readers: number): number {
  return Math.max(unreadMin, Math.min(unreadMax, unreadInAllMax / readers))
}

/** One connection that follows the feed, whatever it speaks. */
export interface Line {
  /** Where its bytes go. Its `timeout` comes when nothing of them was taken, and nothing else happened, for so long. */
  readonly stream: Writable & { setTimeout(ms: number): unknown }
  /** One event, in one or more texts. */
  send(texts: readonly string[], seq: number): void
  /** Says that it lives, and from which sequence one would go on. */
  beat(seq: number): void
  /** The last word. */
  close(refusal: Refusal | undefined): void
}

export interface Reading {
  readonly subscription: Subscription
  /** How many follow the feed of this server, this one included. */
  readers(): number
  /** How often a silent connection is told that it lives. */
  readonly heartbeatMs: number
  /** How long it may take nothing of what it is sent. */
  readonly unreadMs: number
  /** Why the token counts no more; undefined while it does. */
  refusal(): Promise<Refusal | undefined>
  /** Calls when it stops to count; gives the way to stop that. */
  watch(ended: (why: Refusal) => void): () => void
}

/** Follows until the line is closed from either end. */
export async function serveReader(reading: Reading, line: Line, closed: AbortSignal): Promise<void> {
  const { subscription, watch, heartbeatMs } = reading
  const isBehind = limitOf(line.stream, reading)
  const ending = new AbortController()
  const end = (refusal?: Refusal) => {
    if (ending.signal.aborted) return
    ending.abort()
    line.close(refusal)
  }
  closed.addEventListener('abort', () => end(), { once: true })
  if (closed.aborted) end()
  const unwatch = watch(end)
  line.stream.on('timeout', () => {
    if (line.stream.writableLength > 0)
      end(cutOff(`has read nothing for ${reading.unreadMs} ms`, subscription.position))
  })
  line.stream.setTimeout(reading.unreadMs)
  // It may have been revoked between being let in and being watched.
  void reading.refusal().then((why) => why && end(why))
  const timer = setInterval(() => {
    if (!isBehind()) line.beat(subscription.position)
  }, heartbeatMs)
  timer.unref()
  try {
    const take = (told: { seq: number }, texts: readonly string[]): boolean => {
      if (ending.signal.aborted) return false
      if (isBehind()) {
        end(cutOff('reads too slowly', subscription.position))
        return false
      }
      line.send(texts, told.seq)
      return true
    }
    await subscription.follow({ take, room: () => roomIn(line.stream, ending.signal) }, ending.signal)
  } catch (error) {
    if (!(error instanceof CairnRefusal)) throw error
    end(error.refusal)
  } finally {
    clearInterval(timer)
    unwatch()
    subscription.drop()
    end()
  }
}

/** Whether it leaves too much unread. Its allowance does not grow again, as others are cut off, before it has taken all there is. */
function limitOf(stream: Writable, { readers }: Reading): () => boolean {
  let allowance = unreadMax
  return () => {
    const unread = stream.writableLength
    const share = unreadBytesMax(readers())
    allowance = unread === 0 ? share : Math.min(allowance, share)
    return unread > allowance
  }
}

/** The past is sent as fast as it is taken: it is all there, so nobody has to be cut off for it. */
async function roomIn(stream: Writable, ended: AbortSignal): Promise<void> {
  if (!stream.writableNeedDrain || ended.aborted) return
  // Who is gone needs no room.
  await once(stream, 'drain', { signal: ended }).catch(() => undefined)
}

function cutOff(why: string, seq: number): Refusal {
  const message = `This client ${why}; the last event sent is ${seq}.`
  return refuse('rate_limited', message, `Reconnect with since=${seq}.`, { resume_since: seq })
}
