// The limits of plan and manifest, met by what comes from another store.
import { expect, it } from 'vitest'
import type { Draft } from '../../src/domain/log/event.ts'
import type { Limits } from '../../src/domain/log/limits.ts'
import { ReplayedRoot } from './replayed.ts'

const plan = (fact: object) => ({ stream: 'plan', ...fact }) as Draft
const manifest = (fact: object) => ({ stream: 'manifest', ...fact }) as Draft

const adding: { [Name in keyof Limits]?: (no: number) => Draft } = {
  phases: (no) => plan({ type: 'phase_added', data: { phase: no, kind: 'custom', name: `Phase ${no}` } }),
  plans: (no) => plan({ type: 'plan_added', data: { phase: 3, plan: no, name: `Plan ${no}` } }),
  tasks: (no) => plan({ type: 'task_added', data: { task: no, text: 'x', wave: 1, after: [] } }),
  buildCheckpoints: (no) => plan({ type: 'checkpoint_added', data: { checkpoint: no, text: 'x' } }),
  commits: (no) => manifest({ type: 'commit_added', data: { sha: `abc${no}`, message: 'x' } }),
  artifacts: (no) => manifest({ type: 'artifact_added', data: { name: `a${no}`, path: 'a.md' } }),
}

it.each(Object.keys(adding) as (keyof Limits)[])('U8 no history may go beyond the limit %s', (name) => {
  const root = new ReplayedRoot('full', { [name]: 2 })
  const add = adding[name] as (no: number) => Draft
  expect([root.take(add(1)), root.take(add(2))]).toEqual([undefined, undefined])
  expect(root.take(add(3))).toMatchObject({ code: 'invalid_input', details: { limit: name, limit_value: 2 } })
})

it('U8 no text may be longer than entryChars', () => {
  const root = new ReplayedRoot('full', { entryChars: 3 })
  const add = (text: string) => root.take(plan({ type: 'task_added', data: { task: 1, text, wave: 1, after: [] } }))
  expect(add('four')).toMatchObject({ code: 'invalid_input', details: { limit: 'entryChars', limit_value: 3 } })
  expect(add('two')).toBeUndefined()
})
