// Logs of large events: however many are asked for, a page stays small, and page by page all of it is had.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

/** What one page may hold of events of this size. */
const LARGE = 'x'.repeat(400_000)
const PAGE_CHARS = 5 * 1024 * 1024

async function filled(cairn: Cairn, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await cairn.state.set({ key: `k${at % 3}`, value: `${at} ${LARGE}` })
}

const chars = (answer: unknown) => JSON.stringify(answer).length

for (const kind of STORES) {
  describe(`pages of large events on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U53 the log is had whole by its pages, forwards and backwards, and no page is large', async () => {
      const { cairn } = await newRoot(store())
      await filled(cairn, 30)
      const forwards: number[] = []
      let since: number | undefined = 0
      while (since !== undefined) {
        const page = await cairn.log.list({ since, limit: 1000 })
        expect(chars(page)).toBeLessThan(PAGE_CHARS)
        expect(page.events.length).toBeGreaterThan(0)
        forwards.push(...page.events.map(({ seq }) => seq))
        since = page.next_since
      }
      const all = Array.from({ length: 31 }, (_, at) => at + 1)
      expect(forwards).toEqual(all)
      const backwards: number[] = []
      let at: number | undefined
      do {
        const page = await cairn.log.list({ limit: 1000, ...(at === undefined ? {} : { at }) })
        expect(chars(page)).toBeLessThan(PAGE_CHARS)
        backwards.unshift(...page.events.map(({ seq }) => seq))
        at = page.next_at
      } while (at !== undefined)
      expect(backwards).toEqual(all)
    })

    it('U53 so are the mutations of the state, and one stream of the log', async () => {
      const { cairn } = await newRoot(store())
      await filled(cairn, 25)
      const seen: number[] = []
      for (let hasMore = true; hasMore; ) {
        const page = await cairn.state.events({ since: seen.at(-1) ?? 0, limit: 1000 })
        expect(chars(page)).toBeLessThan(PAGE_CHARS)
        seen.push(...page.events.map(({ seq }) => seq))
        hasMore = page.has_more
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
      const { events, has_more } = await cairn.log.list({ stream: 'state', limit: 1000 })
      expect({ last: events.at(-1)?.version, has_more }).toEqual({ last: 25, has_more: true })
      expect(chars(events)).toBeLessThan(PAGE_CHARS)
    })

    it('U53 an event that is larger than a page comes alone', async () => {
      const session = await store().createRoot()
      const cairn = await store().open({ session, limits: { valueBytes: 8 * 1024 * 1024 } })
      for (const key of ['a', 'b']) await cairn.state.set({ key, value: 'y'.repeat(5 * 1024 * 1024) })
      const page = await cairn.log.list({ since: 1, limit: 100 })
      expect(page).toMatchObject({ has_more: true, next_since: 2, events: [{ key: 'a' }] })
    })

    it('U53 whoever follows or waits is told all of them, in order', async () => {
      const { cairn, session } = await newRoot(store())
      await filled(cairn, 20)
      const followed: number[] = []
      for await (const { seq } of cairn.follow({ session, since: 0 })) {
        followed.push(seq)
        if (seq === 21) break
      }
      expect(followed).toEqual(Array.from({ length: 21 }, (_, at) => at + 1))
      const waited: number[] = []
      for (let since = 0; since < 21; since = waited.at(-1) ?? 21) {
        const page = await cairn.log.wait({ since, limit: 1000, timeout: '5s' })
        expect(chars(page)).toBeLessThan(PAGE_CHARS)
        waited.push(...page.events.map(({ seq }) => seq))
      }
      expect(waited).toEqual(followed)
    })

    it('U53 a wait for a type looks through a long log and finds the one that is there', async () => {
      const { cairn } = await newRoot(store())
      const many = Array.from({ length: 400 }, (_, at) => ({ op: 'increment' as const, key: `n${at}` }))
      for (let round = 0; round < 26; round++) await cairn.state.batch({ operations: many })
      await cairn.state.append({ key: 'list', items: [1] })
      const { events } = await cairn.log.wait({ since: 0, type: 'append', timeout: '30s' })
      expect(events.map(({ type }) => type)).toEqual(['append'])
    })
  })
}
