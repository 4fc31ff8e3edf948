// A program that writes to a store until it has done its job or is killed. On its standard output it says `ask ID` before
// each write and `ack ID` when the write was answered, each with one system call.
import { writeSync } from 'node:fs'
import { type Cairn, openCairn } from '../../src/index.ts'
import { callOf, idOf } from './writes.ts'

export interface Job {
  readonly options: { readonly home: string; readonly store?: string }
  readonly session: string
  readonly round: number
  /** Who write at the same time, each one after another. */
  readonly callers: number
  readonly writesOfCaller: number
  /** Writes of an earlier round that were not answered: they are repeated before anything else. */
  readonly repeat: readonly string[]
}

type Method = (input: object) => Promise<unknown>

async function write(cairn: Cairn, session: string, id: string): Promise<void> {
  const { op, input } = callOf(id)
  const [noun, verb] = op.split('.') as ['state', 'set']
  writeSync(1, `ask ${id}\n`)
  await (cairn[noun][verb] as unknown as Method)({ session, ...input })
  writeSync(1, `ack ${id}\n`)
}

async function main(job: Job): Promise<void> {
  const cairn = await openCairn({ ...job.options, actor: `writer ${job.round}` })
  await Promise.all(job.repeat.map((id) => write(cairn, job.session, id)))
  const callers = Array.from({ length: job.callers }, async (_, caller) => {
    for (let number = 0; number < job.writesOfCaller; number++) {
      await write(cairn, job.session, idOf(job.round, caller, number))
    }
  })
  await Promise.all(callers)
  await cairn.close()
}

await main(JSON.parse(process.argv[2] ?? '{}'))
