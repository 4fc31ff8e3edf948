import type { Parts, Problem } from '../../domain/log/part.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { RequestRow } from '../../domain/log/tables.ts'

/** Requests read at once: their answers may be long. */
const pageRequests = 500

/**
 * The log says nothing of plain rows, nor of where the past of a stream begins: what can be told of them is whether they can
 * be as they are.
 */
export function* verifyUnlogged(parts: Parts): Asking<Problem[]> {
  const problems: Problem[] = []
  for (const { id, stream } of yield* ask(aboutLog.impossible_floors))
    problems.push({ root: id, where: `streams ${stream}`, what: 'begins where its log cannot have been cut' })
  for (const part of parts.list) if (part.checks !== undefined) problems.push(...(yield* part.checks()))
  return [...problems, ...(yield* verifyRequests())]
}

function* verifyRequests(): Asking<Problem[]> {
  const problems: Problem[] = []
  let last: Pick<RequestRow, 'caller' | 'id'> = { caller: '', id: '' }
  for (let more = true; more; ) {
    const page = yield* ask(aboutLog.requests_after, last.caller, last.id, pageRequests)
    more = page.length === pageRequests
    last = page.at(-1) ?? last
    for (const row of page) {
      const what = row.head === null ? 'belongs to a root that does not exist' : answerFault(row)
      if (what) problems.push({ root: row.head ?? `root ${row.root}`, where: `requests ${row.caller}/${row.id}`, what })
    }
  }
  return problems
}

function answerFault({ answer, fingerprint }: RequestRow): string | undefined {
  if (!/^[0-9a-f]{32}$/.test(fingerprint)) return 'has no fingerprint'
  try {
    const given: unknown = JSON.parse(answer)
    return typeof given === 'object' && given !== null ? undefined : 'has an invalid answer'
  } catch {
    return 'has an answer that is not JSON'
  }
}
