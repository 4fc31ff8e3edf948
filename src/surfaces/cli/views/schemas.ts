import { safe } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import { ago, type ViewOf } from './view.ts'

type Shown = AnswerOf<'schema.list'>['schemas'][number]

/** A prefix is shown as shells write one. */
function forKeys({ target, prefix }: Pick<Shown, 'target' | 'prefix'>): string {
  return `${target}${prefix ? '*' : ''}`
}

export const schemaTable: ViewOf<'schema.list'> = ({ schemas }, terminal, { nameOf }) => {
  if (schemas.length === 0) return 'No schemas. Values may be any JSON.\n'
  return table<Shown>(
    [
      { title: 'FOR', cell: forKeys, flexible: true, style: () => 'bold' },
      { title: 'SCHEMA', cell: ({ schema }) => JSON.stringify(schema), flexible: true },
      { title: 'UPDATED', cell: ({ updated_at }) => ago(updated_at) },
      { title: 'BY', cell: ({ updated_by }) => nameOf(updated_by), flexible: true },
    ],
    schemas,
    terminal,
  )
}

export const schemaSet: ViewOf<'schema.set'> = (answer, terminal) => {
  const broken = answer.broken.map(({ key, message }) => `  ${safe(`${key}: ${message}`)}\n`)
  const note =
    broken.length === 0 ? '' : `These values violate it, and stay until they are written again:\n${broken.join('')}`
  return `${terminal.paint('bold', safe(forKeys(answer)))} is now checked\n${note}`
}

export const schemaDeleted: ViewOf<'schema.delete'> = (answer, terminal) =>
  `${terminal.paint('bold', safe(forKeys(answer)))} is no longer checked\n`
