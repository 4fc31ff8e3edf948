// A process of its own that opens a store as one session and does what it is told; `processes.ts` starts it.
import { type Cairn, CairnRefusal, openCairn } from '../../src/index.ts'

/** Every task may name the session that acts; else it is that of the process, AGENT_SESSION_ID. */
interface Acting {
  readonly session?: string | undefined
}

/** Calls of one operation: those of the outer list at once, those of an inner one after another. */
export interface CallTask extends Acting {
  readonly do: 'call'
  readonly operation: string
  readonly inputs: readonly (readonly object[])[]
}

/** Adds to a number with `state.update`, which compares versions and tries again; so many callers at once. */
export interface UpdateTask extends Acting {
  readonly do: 'update'
  readonly key: string
  readonly by: number
  readonly callers: number
}

/** Moves 1 from one key to another and notes it on a trail, in one batch, until it is told to stop. */
export interface TransferTask extends Acting {
  readonly do: 'transfer'
  readonly keys: readonly string[]
}

export type Task = CallTask | UpdateTask | TransferTask
export type Done = { readonly answer: Record<string, unknown> } | { readonly refused: string; readonly message: string }

type Call = (input: object) => Promise<Record<string, unknown>>

let stopping = false

async function outcomeOf(answering: Promise<Record<string, unknown>>): Promise<Done> {
  try {
    return { answer: await answering }
  } catch (error) {
    if (error instanceof CairnRefusal) return { refused: error.code, message: error.message }
    throw error
  }
}

function as({ session }: Acting): { session?: string } {
  return session === undefined ? {} : { session }
}

function methodOf(cairn: Cairn, operation: string): Call {
  const [noun, verb] = operation.split('.') as ['state', 'set']
  return cairn[noun][verb] as unknown as Call
}

async function call(cairn: Cairn, task: CallTask): Promise<Done[][]> {
  const method = methodOf(cairn, task.operation)
  return Promise.all(
    task.inputs.map(async (inOrder) => {
      const done: Done[] = []
      for (const input of inOrder) done.push(await outcomeOf(method({ ...as(task), ...input })))
      return done
    }),
  )
}

async function transfer(cairn: Cairn, task: TransferTask): Promise<number> {
  const { keys } = task
  let times = 0
  stopping = false
  for (; !stopping; times++) {
    const from = keys[times % keys.length] as string
    const to = keys[(times * 7 + 1) % keys.length] as string
    const operations = [
      { op: 'increment' as const, key: from, delta: -1 },
      { op: 'increment' as const, key: to, delta: 1 },
      { op: 'append' as const, key: 'trail', items: [`${from} to ${to} ${'.'.repeat(100)}`] },
    ]
    await cairn.state.batch({ ...as(task), operations })
  }
  return times
}

async function perform(cairn: Cairn, task: Task): Promise<unknown> {
  if (task.do === 'call') return call(cairn, task)
  if (task.do === 'transfer') return transfer(cairn, task)
  const add = (current: unknown) => ((current as number | undefined) ?? 0) + task.by
  const callers = Array.from({ length: task.callers }, () => {
    return outcomeOf(cairn.state.update({ ...as(task), key: task.key, fn: add }))
  })
  return Promise.all(callers)
}

function tell(message: object): void {
  process.send?.(message)
}

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}')
  const session = process.env.AGENT_SESSION_ID
  const cairn = await openCairn({ ...options, ...(session ? { session } : {}), actor: `actor ${process.pid}` })
  process.on('message', (message: { stop?: true; task?: Task }) => {
    stopping ||= message.stop === true
    if (message.task === undefined) return
    perform(cairn, message.task).then(
      (result) => tell({ result }),
      (error) => tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.once('disconnect', () => void cairn.close())
  tell({ ready: true })
}

main().catch((error) => {
  tell({ failed: error instanceof CairnRefusal ? `${error.code}: ${error.message}` : String(error?.stack ?? error) })
  process.disconnect()
  process.exitCode = 1
})
