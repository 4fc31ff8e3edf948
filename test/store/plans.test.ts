// How SQLite finds rows of the past: it knows nothing of how many there are, and left to itself it would look at all versions of a
// root for each of its keys.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { textFor } from '../../src/domain/log/sql/text.ts'
import { aboutSessions } from '../../src/domain/sessions/questions.ts'
import { aboutState } from '../../src/domain/state/questions.ts'
import { freshStore, STORES } from '../setup/stores.ts'

const ofVersions = Object.entries(aboutState).filter(
  // One that reads a stretch of the log is meant to look through it.
  ([name, { text }]) => name !== 'versions_after' && typeof text !== 'string' && /state_versions v\b/.test(text.plain),
)

describe('the plans of questions about versions', () => {
  const store = freshStore(STORES[0] as (typeof STORES)[number])

  it.each(ofVersions)('%s finds each version by its whole key, of a fork too', async (_, { text }) => {
    await store().createRoot()
    const db = new DatabaseSync(join(store().home, 'cairn.db'))
    for (const root of [1, -1]) {
      const numbered = textFor(text, [root]).replace(/\$(\d+)/g, '?$1')
      const count = Math.max(...[...numbered.matchAll(/\?(\d+)/g)].map(([, at]) => Number(at)))
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${numbered}`).all(...Array<number>(count).fill(root))
      // A table whose long texts lie beside its rows is searched as `r`, whatever the question calls it.
      const steps = (plan as { detail: string }[]).map(({ detail }) => detail).filter((step) => /^S\w+ r\b/.test(step))
      const through = steps.filter((step) => step.endsWith('(root=? AND seq>? AND seq<?)'))
      const found = steps.filter((step) => /\(root=\? AND seq=\?(?: AND key=\?)?\)$/.test(step))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length + through.length, steps.join('\n')).toBe(steps.length)
      // Only what the index does not have yet is looked through.
      expect(through.length).toBeLessThanOrEqual(
        numbered.split('state_versions o').length - 1 + numbered.split('FROM state_versions\n').length - 1,
      )
    }
    db.close()
  })
})

describe('the plans of questions about sessions', () => {
  const store = freshStore(STORES[0] as (typeof STORES)[number])

  it.each(['sessions_by_edge', 'sessions_edged'] as const)(
    'U53 %s looks through no table, however many sessions there are',
    async (name) => {
      await store().createRoot()
      const db = new DatabaseSync(join(store().home, 'cairn.db'))
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${textFor(aboutSessions[name].text, [1]).replace(/\$(\d+)/g, '?$1')}`)
        .all() as {
        detail: string
      }[]
      const steps = plan.map(({ detail }) => detail)
      expect(steps.filter((step) => /SEARCH e USING .*(id>|<expr>=)/.test(step))).toHaveLength(4)
      expect(steps.filter((step) => /^SCAN [es]\b/.test(step))).toEqual([])
      db.close()
    },
  )
})
