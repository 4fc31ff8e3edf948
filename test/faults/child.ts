// A program of its own that does one job on a store and says with one system call each what became of it: `ask ID` before
// and then `ack ID`, `refused ID CODE MESSAGE` or `raw ID TEXT` after each thing it does. `children.ts` starts it.
import { readFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Cairn, CairnRefusal, openCairn } from '../../src/index.ts'

/** On SQLite, unless `store` has the address of another one. With `dies`, it kills itself as soon as it is refused anything. */
export type Job = { readonly home: string; readonly store?: string } & (
  | { readonly do: 'write'; readonly times: number; readonly backup?: string; readonly dies?: boolean }
  | { readonly do: 'overwrite'; readonly session: string; readonly key: string }
  | { readonly do: 'call'; readonly operation: string; readonly input: object }
  | { readonly do: 'backup'; readonly to: string; readonly times: number }
  | { readonly do: 'restore'; readonly from: string }
  /** The file has what is to be adopted: it would be too long for an argument. */
  | { readonly do: 'adopt'; readonly from: string }
  | { readonly do: 'hold' | 'open' }
)

const job = JSON.parse(process.argv[2] ?? '{}') as Job

function say(text: string): void {
  writeSync(1, `${text}\n`)
}

async function tell<Out>(id: string, doing: () => Promise<Out>): Promise<Out | undefined> {
  say(`ask ${id}`)
  try {
    const answer = await doing()
    say(`ack ${id}`)
    return answer
  } catch (error) {
    if (error instanceof CairnRefusal) say(`refused ${id} ${error.code} ${error.message}`)
    else say(`raw ${id} ${String((error as Error).stack).replaceAll('\n', ' | ')}`)
    if (job.do === 'write' && job.dies) process.kill(process.pid, 'SIGKILL')
    return undefined
  }
}

/** A failure heals; but calls are counted for each thread, and a backup may be made by any of some. */
const triesMax = 8

async function atLast<Out>(id: string, doing: () => Promise<Out>): Promise<Out> {
  for (let at = 1; at <= triesMax; at++) {
    const answer = await tell(`${id}.${at}`, doing)
    if (answer !== undefined) return answer
  }
  throw new Error(`${id} was refused ${triesMax} times`)
}

/** Writes 3, 4 and 5 of each turn are a set, an append and a batch. */
async function write(cairn: Cairn, times: number): Promise<void> {
  const { session_id: session } = await atLast('2', () =>
    cairn.session.create({ topic: 'faults', request_id: `create ${process.pid}` }),
  )
  say(`root ${session}`)
  for (let turn = 0; turn < times; turn++) {
    const text = `${turn} `.repeat(50)
    await tell(`3.${turn}`, () => cairn.state.set({ session, key: `set/${turn}`, value: text }))
    await tell(`4.${turn}`, () => cairn.state.append({ session, key: 'list', items: [turn] }))
    const operations = ['a', 'b'].map((half) => ({ op: 'set' as const, key: `${half}/${turn}`, value: turn }))
    await tell(`5.${turn}`, () => cairn.state.batch({ session, operations }))
    await tell(`6.${turn}`, () => cairn.state.all({ session }))
  }
}

async function perform(): Promise<void> {
  if (job.do === 'hold') return hold(job.home)
  const { home, store } = job
  const cairn = await atLast('1', () => openCairn({ home, ...(store && { store }) }))
  if (job.do === 'write') await write(cairn, job.times)
  if (job.do === 'write' && job.backup) await atLast('7', () => cairn.store.backup({ file: job.backup as string }))
  if (job.do === 'call') {
    const [noun, verb] = job.operation.split('.') as ['store', 'gc']
    await tell('8', () => cairn[noun][verb](job.input))
  }
  if (job.do === 'adopt') await tell('11', () => cairn.log.adopt(JSON.parse(readFileSync(job.from, 'utf8'))))
  if (job.do === 'restore') await tell('10', () => cairn.store.restore({ file: job.from }))
  if (job.do === 'backup') {
    for (let at = 0; at < job.times; at++) await tell(`7.${at}`, () => cairn.store.backup({ file: `${job.to}.${at}` }))
  }
  if (job.do === 'overwrite') {
    for (let at = 0; ; at++) {
      const { session, key } = job
      await tell(`9.${at}`, () => cairn.state.set({ session, key, value: `${at} `.repeat(200) }))
    }
  }
  await cairn.close()
}

/** Holds the write lock until its standard input ends. */
function hold(home: string): void {
  const db = new DatabaseSync(`${home}/cairn.db`)
  db.exec('BEGIN IMMEDIATE')
  say('ack 0')
  process.stdin.resume().once('end', () => {
    db.exec('ROLLBACK')
    db.close()
  })
}

await perform()
