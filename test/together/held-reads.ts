// A log on a real store whose reads can be held back once they were answered: what is written meanwhile they have not seen.
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import type { Load, Question } from '../../src/domain/log/questions.ts'
import { parts } from '../../src/domain/parts.ts'
import { Log } from '../../src/log/log.ts'
import { methodsOf } from '../../src/open.ts'
import type { Engine } from '../../src/store/engine.ts'
import { engineOf } from '../setup/store-engine.ts'
import type { TestStore } from '../setup/stores.ts'
import { engineWith, noted } from './own-log.ts'

/** A question, or the head of a root, which is a row. */
type Asked = Question['name'] | 'roots'

/** What happens once the store has answered a read that asked this, and before the answer is heard. */
export type Meanwhile = { readonly asked: Asked; readonly happens: () => Promise<unknown> }

/**
 * A new root in a log of our own. Nobody tells this log of what other processes write, and none does: what wakes whoever
 * reads in it is what is written in it.
 */
export async function heldLog(store: TestStore) {
  const held: { next: Meanwhile | undefined } = { next: undefined }
  const session = await store.createRoot()
  const log = new Log(holding(await engineOf(store), held), systemClock(), parts, defaultLimits)
  onTestFinished(() => log.close())
  const caller = { principal: 'owner', actor: 'test', scope: 'owner', session } as const
  return { log, caller, session, held, cairn: methodsOf({ log, caller }) }
}

function holding(engine: Engine, held: { next: Meanwhile | undefined }): Engine {
  return engineWith(engine, {
    async read(reading, snapshot) {
      const asked: string[] = []
      const note = (load: Load) => {
        if ('ask' in load) asked.push(load.ask.name)
        else if ('table' in load) asked.push(load.table.name)
      }
      const answer = await engine.read(noted(reading, note), snapshot)
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
