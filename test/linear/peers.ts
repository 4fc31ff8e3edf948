// Starts peers, processes of their own on one store, and tells them what to do.
import { fork } from 'node:child_process'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { programOf } from '../setup/program.ts'
import type { MoveTask } from './moving.ts'
import type { Halfway, Said, Task } from './peer.ts'
import type { PlayTask } from './playing.ts'
import type { Followed, Reading } from './reader.ts'

export interface Peer {
  play(task: Omit<PlayTask, 'do'>): Promise<void>
  move(task: Omit<MoveTask, 'do'>): Promise<number>
  call(operation: string, input: object): Promise<unknown>
  follow(options: Followed): Promise<Reading>
  /** Resolves when half of a play has been asked. */
  halfway(): Promise<void>
  kill(): void
  /** The signal by which the process ended, or null if it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>
  /** Lets it end by itself. */
  stop(): Promise<void>
}

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

/** `env` may name a fault or a failpoint of this one process. */
async function start(options: object, env: Readonly<Record<string, string>>): Promise<Peer> {
  const child = fork(await programOf('test/linear/peer.ts'), [JSON.stringify(options)], {
    env: { ...process.env, ...env },
    execArgv: [],
  })
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<() => void>()
  let last = 0
  const answerTo = <Out>(id: number) => {
    return new Promise<Out>((resolve, reject) => waiting.set(id, { resolve: resolve as Waiting['resolve'], reject }))
  }
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`a peer ended with ${signal ?? code}`))
      resolve(signal)
    })
  })
  child.on('message', (said: Said | Halfway) => {
    if ('halfway' in said) {
      for (const listener of listeners) listener()
      return
    }
    const waits = waiting.get(said.id)
    waiting.delete(said.id)
    if ('failed' in said) waits?.reject(new Error(`a peer failed: ${said.failed}`))
    else waits?.resolve(said.result as never)
  })
  const tell = <Out>(task: Task) => {
    const id = ++last
    const answer = answerTo<Out>(id)
    child.send({ id, task })
    return answer
  }
  await answerTo(0)
  return {
    play: (task) => tell({ do: 'play', ...task }),
    move: (task) => tell({ do: 'move', ...task }),
    call: (operation, input) => tell({ do: 'call', operation, input }),
    async follow(followed) {
      const name = `reader ${last}`
      await tell({ do: 'follow', name, options: followed })
      const read = (what: 'until' | 'seen' | 'stop', count = 0) => tell<FeedEvent[]>({ do: what, name, count })
      return { until: (count) => read('until', count), seen: () => read('seen'), stop: () => read('stop') }
    },
    halfway: () => new Promise((resolve) => listeners.add(resolve)),
    kill: () => child.kill('SIGKILL'),
    ended,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** A process for one test. */
export async function startPeer(options: object, env: Readonly<Record<string, string>> = {}): Promise<Peer> {
  const peer = await start(options, env)
  onTestFinished(() => peer.stop())
  return peer
}

/** Processes for all tests of a `describe`: starting one takes longer than most of what is asked of it. */
export function sharedPeers(options: () => object, size: number): () => readonly Peer[] {
  let peers: Peer[] = []
  beforeAll(async () => {
    peers = await Promise.all(Array.from({ length: size }, () => start(options(), {})))
  })
  afterAll(async () => {
    await Promise.all(peers.map((peer) => peer.stop()))
  })
  return () => peers
}
