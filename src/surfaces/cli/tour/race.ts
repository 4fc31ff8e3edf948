import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type Done, ended, type Stage } from './stage.ts'

const processes = 10
const increments = 20
const turns = 5

/** Ten processes at once on two counters: one that is added to, one that is read and written back. */
export async function showRace(stage: Stage, sessions: readonly string[]): Promise<void> {
  stage.title(`2  ${processes} processes at once, on the same keys`)
  await stage.type('state', 'init', '{"done": 0, "turns": 0}')
  stage.command('cairn state increment done')
  stage.command('cairn state set turns N --version V   (after a read; who loses reads again)')
  const racers = Array.from({ length: processes }, (_, at) =>
    stage.worker({ kind: 'race', session: sessions[at % sessions.length] ?? '', increments, turns }),
  )
  const results = racers.map(ended)
  await Promise.all(racers.map(ready))
  for (const racer of racers) racer.stdin?.end('go\n')
  const lost = (await Promise.all(results)).reduce((sum, result) => sum + lostBy(result), 0)
  const { state } = (await stage.ask('state', 'get')) as { state: { done: number; turns: number } }
  stage.check(`done, ${processes} × ${increments} increments`, processes * increments, state.done)
  const note = `${lost} lost races`
  stage.check(`turns, ${processes} × ${turns} versioned writes`, processes * turns, state.turns, note)
}

/** A racer prints that it is ready, and at the end how many races it lost. */
function lostBy({ out, err, exit }: Done): number {
  if (exit !== 0) throw new Error(`A process of the tour failed: ${err}`)
  return Number(out.split('\n')[1])
}

async function ready(racer: ChildProcess): Promise<void> {
  if (racer.stdout) await Promise.race([once(racer.stdout, 'data'), once(racer, 'close')])
}
