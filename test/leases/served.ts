// The inside of a process that opens a store and does what it is told; `program.ts` is the outside.
import { type Cairn, CairnRefusal, openCairn } from '../../src/index.ts'

/** What became of a call: the answer, or the code, message and details of the refusal. */
export interface Done {
  readonly answer?: Record<string, unknown>
  readonly refused?: string
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface CallTask {
  readonly operation: string
  readonly input: object
}

type Call = (input: object) => Promise<Record<string, unknown>>
type Tasks = Readonly<Record<string, (cairn: Cairn, given: never) => Promise<unknown>>>

let stopping = false

/** Somebody asked for the end of what goes on and on. */
export function isStopping(): boolean {
  return stopping
}

export function methodOf(cairn: Cairn, operation: string): Call {
  const [noun, verb] = operation.split('.') as ['state', 'set']
  return cairn[noun][verb] as unknown as Call
}

/** Anything but an answer or a refusal is a bug, and thrown. */
export async function outcomeOf(answering: Promise<Record<string, unknown>>): Promise<Done> {
  try {
    return { answer: await answering }
  } catch (error) {
    if (!(error instanceof CairnRefusal)) throw error
    return { refused: error.code, message: error.message, details: error.details }
  }
}

const common: Tasks = {
  call: (cairn, { operation, input }: CallTask) => outcomeOf(methodOf(cairn, operation)(input)),
  clock: async () => Date.now(),
}

export async function serve(own: Tasks): Promise<void> {
  const tasks = { ...common, ...own }
  const cairn = await openCairn({ ...JSON.parse(process.argv[2] ?? '{}'), actor: `process ${process.pid}` })
  const tell = (message: object) => void process.send?.(message)
  process.on('message', ({ id, task, given, stop }: { id: number; task: string; given: never; stop?: true }) => {
    stopping = stop === true
    if (stopping) return
    tasks[task]?.(cairn, given).then(
      (result) => tell({ id, result }),
      (error) => tell({ id, failed: String(error?.stack ?? JSON.stringify(error)) }),
    )
  })
  process.once('disconnect', () => void cairn.close())
  tell({ id: 0, result: 'ready' })
}
