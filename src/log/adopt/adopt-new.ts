import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { AnyTable, RootRow } from '../../domain/log/tables.ts'
import { byTable, isNotTaken, Lost, type RowsWritten } from '../../store/engine.ts'
import { LiveChains } from '../proof/live-chains.ts'
import { type Adopted, adopt, checkAll } from './adopt.ts'
import { AdoptingRows } from './adopting-rows.ts'
import { type ForeignEvent, gapIn } from './foreign-event.ts'
import { nothingYet } from './nearest.ts'
import type { Adopting } from './start.ts'
import { evolved, idsTaken, pageEvents } from './take-in.ts'

/** A history of which the store has nothing, and plain rows that are to stand beside it. */
export interface NewHistory {
  readonly id: string
  readonly events: readonly ForeignEvent[]
  beside(root: number, seq: number): readonly { readonly table: AnyTable; readonly row: object }[]
}

interface Ready {
  readonly history: NewHistory
  readonly head: RootRow
  readonly rows: readonly RowsWritten[]
}

/**
 * Takes in many short histories, as many in a transaction as one page of events holds: one by one, each would wait for the disk. What
 * cannot be is refused by itself, and the others go in.
 */
export async function adoptNew(given: Adopting, histories: readonly NewHistory[]): Promise<(Adopted | Refusal)[]> {
  const answers: (Adopted | Refusal)[] = []
  const first = await given.numbers.many(histories.length)
  let page: { at: number; ready: Ready }[] = []
  let events = 0
  const flush = async () => {
    const written = await writeAll(
      given,
      page.map(({ ready }) => ready),
    )
    for (const [at, answer] of written.entries()) answers[page[at]?.at ?? 0] = answer
    page = []
    events = 0
  }
  for (const [at, history] of histories.entries()) {
    const ready = await readied(given, history, first + at)
    if (ready instanceof Refusal) answers[at] = ready
    else if (ready === 'too long') answers[at] = await adopt(given, history.id, history.events)
    else {
      page.push({ at, ready })
      events += history.events.length
      if (events >= pageEvents) await flush()
    }
  }
  await flush()
  return answers
}

/** What a history makes of a root with this number, all of it checked. */
async function readied(given: Adopting, history: NewHistory, number: number): Promise<Ready | Refusal | 'too long'> {
  const { id, events } = history
  if (events.length > pageEvents || events.length === 0) return 'too long'
  const wrong = gapIn(events) ?? checkAll(given.parts, events, nothingYet, 0)
  if (wrong) return wrong
  const rows = new AdoptingRows(number, id)
  const made = evolved(given, rows, new LiveChains(), events)
  if (made instanceof Refusal) return made
  const taken = await given.engine.read(idsTaken(rows, events), false)
  if (taken) return taken
  const head = rows.head() as RootRow
  const beside = history.beside(number, head.seq).map(({ table, row }) => ({ table, rows: [row] }))
  return { history, head, rows: [...made, ...beside] }
}

/** Where somebody else has made one of the roots meanwhile, each is taken in by itself. */
async function writeAll(given: Adopting, page: readonly Ready[]): Promise<(Adopted | Refusal)[]> {
  const { engine } = given
  if (page.length === 0) return []
  const one = engine.locksByRoot ? 1 : page.length
  const answers: (Adopted | Refusal)[] = []
  for (let from = 0; from < page.length; from += one) {
    const some = page.slice(from, from + one)
    if (await written(given, some)) answers.push(...some.map(({ head }) => adopted(head)))
    else for (const { history } of some) answers.push(await adopt(given, history.id, history.events))
  }
  engine.announce(page.map(({ head }) => head.root))
  return answers
}

async function written({ engine }: Adopting, page: readonly Ready[]): Promise<boolean> {
  const changes = byTable(page.flatMap(({ rows }) => rows))
  const numbers = page.map(({ head }) => head.root)
  try {
    return await engine.write(numbers, function* (heads) {
      yield []
      const isFree = heads.every((head) => head === undefined)
      return { changes: isFree ? changes : [], out: isFree }
    })
  } catch (error) {
    if (error instanceof Lost || isNotTaken(error)) return false
    throw error
  }
}

function adopted(root: RootRow): Adopted {
  return { root, adopted: root.seq, forkedAt: undefined }
}

/** Which of these roots the store has. */
export function* known(ids: readonly string[]): Asking<Map<string, RootRow>> {
  const found = new Map<string, RootRow>()
  for (const id of ids) {
    const [root] = yield* ask(aboutLog.root_by_id, id)
    if (root !== undefined) found.set(id, root)
  }
  return found
}
