import { Refusal } from '../../domain/log/refusal.ts'
import { type Command, checkMerged } from './command.ts'
import { planJson } from './plan-json.ts'
import { parsePlanJson } from './plan-json-parse.ts'
import { planFiles, planMd } from './plan-md.ts'
import type { RowsToRender } from './rows.ts'
import { parseSpecMd, specMd } from './spec-md.ts'

export type { Command } from './command.ts'
export { type RowsToRender, rowsToRender } from './rows.ts'

/** A file of a session folder, by its path in there. */
export interface Rendered {
  readonly path: string
  readonly text: string
}

/**
 * The files of a session folder besides its manifest. `before` has what stands in a file now: fields of others in `STATE.md`, and all of `spec.md` but Cairn's
 * block, stay as they are. Whoever writes them looks at each first: what was edited is taken in before, by `parse`.
 */
export async function render(rows: RowsToRender, before: (path: string) => string | undefined): Promise<Rendered[]> {
  // YAML is loaded where it is needed.
  const { stateMd } = await import('./state-md.ts')
  return [
    { path: 'plan.json', text: `${JSON.stringify(planJson(rows), null, 2)}\n` },
    { path: 'plan.md', text: planMd(rows) },
    ...planFiles(rows),
    { path: 'STATE.md', text: stateMd(rows, before('STATE.md')) },
    { path: 'spec.md', text: specMd(rows, before('spec.md')) },
  ]
}

/** What an edited file asks for, as operations in their order; a refusal where it cannot be. Of other files it asks for nothing. */
export async function parse(path: string, text: string, rows: RowsToRender): Promise<readonly Command[] | Refusal> {
  const refusal = checkMerged(path, text)
  if (refusal instanceof Refusal) return refusal
  switch (path) {
    case 'plan.json':
      return parsePlanJson(path, text, rows)
    case 'STATE.md':
      return (await import('./state-md-parse.ts')).parseStateMd(path, text, rows)
    case 'spec.md':
      return parseSpecMd(path, text, rows)
    default:
      return []
  }
}
