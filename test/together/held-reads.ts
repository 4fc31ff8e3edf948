// A journal on a real store whose reads can be held back once they were answered: what is written meanwhile they have not seen.
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { defaultLimits } from '../../src/domain/limits.ts'
import type { Question } from '../../src/domain/questions.ts'
import { Journal } from '../../src/journal/journal.ts'
import { methodsOf } from '../../src/open.ts'
import type { Engine } from '../../src/store/engine.ts'
import type { TestStore } from '../setup/stores.ts'
import { engineOf, engineWith, noted } from './own-journal.ts'

type Asked = Question['ask']

/** What happens once the store has answered a read that asked this, and before the answer is heard. */
export type Meanwhile = { readonly asked: Asked; readonly happens: () => Promise<unknown> }

/**
 * A new root in a journal of our own. Nobody tells this journal of what other processes write, and none does: what wakes whoever
 * reads in it is what is written in it.
 */
export async function heldJournal(store: TestStore) {
  const held: { next: Meanwhile | undefined } = { next: undefined }
  const session = await store.createRoot()
  const journal = new Journal(holding(await engineOf(store), held), systemClock(), defaultLimits)
  onTestFinished(() => journal.close())
  const caller = { principal: 'owner', actor: 'test', scope: 'owner', session } as const
  return { journal, caller, session, held, cairn: methodsOf({ journal, caller }) }
}

function holding(engine: Engine, held: { next: Meanwhile | undefined }): Engine {
  return engineWith(engine, {
    async read(reading, snapshot) {
      const asked: Asked[] = []
      const answer = await engine.read(noted(reading, asked), snapshot)
      const { next } = held
      if (next !== undefined && asked.includes(next.asked)) {
        held.next = undefined
        await next.happens()
      }
      return answer
    },
    watch: () => ({ stop: () => undefined }),
  })
}
