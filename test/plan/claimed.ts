import { expect } from 'vitest'
import type { Cairn } from '../../src/open.ts'

/** Claims a task that is there to be claimed. */
export async function claimed(cairn: Cairn, input: Parameters<Cairn['task']['claim']>[0] = {}) {
  const answer = await cairn.task.claim(input)
  if (answer.id === null) expect.fail('all tasks are done')
  return answer
}
