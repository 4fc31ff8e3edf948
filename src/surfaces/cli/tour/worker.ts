import { once } from 'node:events'
import { sleep } from '../../../clock.ts'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import { type Cairn, openCairn } from '../../../open.ts'
import { printOut } from '../output.ts'

/** What a process of the tour does. */
export type Work =
  | { readonly kind: 'race'; readonly session: string; readonly increments: number; readonly turns: number }
  | { readonly kind: 'pages'; readonly session: string; readonly pages: number }

/** Between two pages, so that there is a middle to be killed in. */
const pageMs = 2

/** Runs in a process of its own: the hidden command `cairn tour worker`. */
export async function work(asked: string): Promise<number> {
  const work = JSON.parse(asked) as Work & { home: string }
  const cairn = await openCairn({ home: work.home, session: work.session, actor: 'tour', waits: 'blocking' })
  if (work.kind === 'race') await race(cairn, work)
  else await pages(cairn, work.pages)
  await cairn.close()
  return 0
}

/** Waits for the start, so that all processes run at the same time. */
async function race(cairn: Cairn, { increments, turns }: Work & { kind: 'race' }): Promise<void> {
  printOut('ready\n')
  await once(process.stdin, 'data')
  process.stdin.destroy()
  for (let at = 0; at < increments; at++) await cairn.state.increment({ key: 'done' })
  let lost = 0
  for (let at = 0; at < turns; at++) lost += await takeTurn(cairn)
  printOut(`${lost}\n`)
}

/** Reads, adds one, and writes if nobody was faster; answers how often somebody was. */
async function takeTurn(cairn: Cairn): Promise<number> {
  for (let lost = 0; ; lost++) {
    const { value, version } = await cairn.state.get({ key: 'turns' })
    try {
      await cairn.state.set({ key: 'turns', value: Number(value) + 1, version })
      return lost
    } catch (error) {
      if (!(error instanceof CairnRefusal) || error.code !== 'version_conflict') throw error
    }
  }
}

/** Every write has an id of its own; each that was answered is told at once. */
async function pages(cairn: Cairn, count: number): Promise<void> {
  for (let page = 1; page <= count; page++) {
    await cairn.state.increment({ key: 'pages', request_id: `page-${page}` })
    printOut(`${page}\n`)
    await sleep(pageMs)
  }
}
