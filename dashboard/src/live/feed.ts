import type { FeedEvent } from '../../../src/domain/log/event.ts'
import type { Json } from '../../../src/json/value.ts'
import { jitter } from '../../../src/web-clock.ts'

export interface EventMessage {
  readonly type: 'event'
  readonly root_session_id: string
  readonly seq: number
  readonly event: FeedEvent
}

/** What became of a key. A value of more than 4 KiB is left out. */
export interface KeyMessage {
  readonly type: 'state_key_updated' | 'state_key_deleted'
  readonly root_session_id: string
  readonly seq: number
  readonly key: string
  readonly version: number
  readonly value?: Json
  readonly value_omitted?: true
  readonly changed_by: string | null
  readonly timestamp: string
}

export interface ResetMessage {
  readonly type: 'state_reset'
  readonly root_session_id: string
  readonly seq: number
}

interface EndMessage {
  readonly type: 'end'
  readonly error: string
  readonly message: string
}

export type FeedMessage = EventMessage | KeyMessage | ResetMessage

export type LineState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'logged out'

interface Listener {
  /** A new connection: whatever happened before it has to be read. */
  opened(): void
  messages(batch: readonly FeedMessage[]): void
  state(state: LineState): void
}

/** Changes are shown ten times a second at most: nobody reads faster. */
const batchMs = 100
/** More than this waits only for a page that nobody looks at: it reads anew when it is looked at again. */
const waitingMax = 20_000
const pauseMsMin = 300
const pauseMsMax = 5000
/** A server says every 15 seconds that it is there. */
const silentMsMax = 45_000

const revoked = 4401

/** The only connection of this page by which it hears of anything: all events of all roots, as they happen. */
export class Feed {
  readonly #listener: Listener
  #socket: WebSocket | undefined
  #waiting: FeedMessage[] = []
  #timer: number | undefined
  #silence: number | undefined
  #pauseMs = pauseMsMin
  #lost = false

  constructor(listener: Listener) {
    this.#listener = listener
    addEventListener('online', () => void (this.#socket === undefined && this.#again(0)))
  }

  open(): void {
    const url = new URL('/ws?type=event,state_key_updated,state_key_deleted,state_reset', location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const socket = new WebSocket(url)
    this.#socket = socket
    socket.onopen = () => {
      this.#pauseMs = pauseMsMin
      this.#lost = false
      this.#listener.state('live')
      this.#listener.opened()
      this.#listen(socket)
    }
    socket.onmessage = ({ data }) => {
      this.#listen(socket)
      this.#take(JSON.parse(data as string) as FeedMessage | EndMessage | { type: 'heartbeat' })
    }
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return
      clearTimeout(this.#silence)
      if (code === revoked) this.#listener.state('logged out')
      else this.#again(this.#pauseMs)
    }
  }

  /** The server does not answer: tries until it does. */
  retry(): void {
    void this.#again(this.#pauseMs)
  }

  close(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #listen(socket: WebSocket): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => socket.close(), silentMsMax) as unknown as number
  }

  #take(message: FeedMessage | EndMessage | { type: 'heartbeat' }): void {
    if (message.type === 'heartbeat' || message.type === 'end') return
    if (this.#waiting.length >= waitingMax) this.#lost = true
    else this.#waiting.push(message)
    this.#timer ??= setTimeout(() => this.#flush(), batchMs) as unknown as number
  }

  #flush(): void {
    this.#timer = undefined
    const batch = this.#waiting
    this.#waiting = []
    const isLost = this.#lost
    this.#lost = false
    if (isLost) this.#listener.opened()
    else this.#listener.messages(batch)
  }

  async #again(ms: number): Promise<void> {
    this.close()
    this.#waiting = []
    this.#listener.state(navigator.onLine ? 'reconnecting' : 'offline')
    await new Promise((resolve) => setTimeout(resolve, ms * (0.5 + jitter())))
    this.#pauseMs = Math.min(pauseMsMax, this.#pauseMs * 2)
    // A socket that is refused does not say why; whoever asks is told.
    const answer = await fetch('/ui/about.json', { headers: { 'x-cairn': '1' } }).catch(() => undefined)
    if (this.#socket !== undefined) return
    if (answer?.status === 401) this.#listener.state('logged out')
    else if (answer?.ok) this.open()
    else void this.#again(this.#pauseMs)
  }
}
