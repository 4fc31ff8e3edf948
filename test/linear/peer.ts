// A process of its own that has opened a store and does what it is told, several things at a time; `peers.ts` starts it.
import { type Cairn, CairnRefusal, openCairn } from '../../src/index.ts'
import { type MoveTask, move } from './moving.ts'
import { type PlayTask, play } from './playing.ts'
import { type Followed, type Reading, readFeed } from './reader.ts'

/** Begins to follow the feed under a name. */
interface FollowTask {
  readonly do: 'follow'
  readonly name: string
  readonly options: Followed
}

/** Answers the events that a reader has got: once there are so many, at once, or at its end. */
interface ReadTask {
  readonly do: 'until' | 'seen' | 'stop'
  readonly name: string
  readonly count: number
}

/** One call, such as `state.set`. */
interface CallTask {
  readonly do: 'call'
  readonly operation: string
  readonly input: object
}

export type Task = PlayTask | MoveTask | FollowTask | ReadTask | CallTask

/** Half of what a player was told to ask has been asked. */
export interface Halfway {
  readonly halfway: true
}
export type Said = { readonly id: number } & ({ readonly result: unknown } | { readonly failed: string })

const readers = new Map<string, Reading>()

function tell(message: Said | Halfway): void {
  process.send?.(message)
}

function reader(name: string): Reading {
  const found = readers.get(name)
  if (found === undefined) throw new Error(`there is no reader ${name}`)
  return found
}

async function perform(cairn: Cairn, task: Task): Promise<unknown> {
  switch (task.do) {
    case 'play': {
      const half = (task.clients * task.operationsOfClient) / 2
      return play(cairn, task, (count) => count === half && tell({ halfway: true }))
    }
    case 'move':
      return move(cairn, task)
    case 'follow':
      readers.set(task.name, readFeed(cairn, task.options))
      return undefined
    case 'until':
      return reader(task.name).until(task.count)
    case 'seen':
      return reader(task.name).seen()
    case 'stop':
      return reader(task.name).stop()
    case 'call': {
      const [noun, verb] = task.operation.split('.') as ['state', 'set']
      return cairn[noun][verb](task.input as never)
    }
  }
}

function inWords(error: unknown): string {
  if (error instanceof CairnRefusal) return `${error.code}: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const cairn = await openCairn({ ...JSON.parse(process.argv[2] ?? '{}'), actor: `peer ${process.pid}` })
process.on('message', ({ id, task }: { id: number; task: Task }) => {
  perform(cairn, task).then(
    (result) => tell({ id, result }),
    (error) => tell({ id, failed: inWords(error) }),
  )
})
process.once('disconnect', () => void cairn.close())
tell({ id: 0, result: 'ready' })
