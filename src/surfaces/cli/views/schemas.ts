import type { Json } from '../../../json/value.ts'
import { safe } from '../output.ts'
import { table } from '../table.ts'
import { ago, type View } from './view.ts'

type Shown = { readonly [name: string]: Json }

/** A prefix is shown as shells write one. */
function forKeys({ target, prefix }: Shown): string {
  return `${target}${prefix === true ? '*' : ''}`
}

export const schemaTable: View = ({ schemas }, terminal, { nameOf }) => {
  const rows = schemas as Shown[]
  if (rows.length === 0) return 'No schemas. Values may be any JSON.\n'
  return table<Shown>(
    [
      { title: 'FOR', cell: forKeys, flexible: true, style: () => 'bold' },
      { title: 'SCHEMA', cell: ({ schema }) => JSON.stringify(schema), flexible: true },
      { title: 'UPDATED', cell: ({ updated_at }) => ago(updated_at) },
      { title: 'BY', cell: ({ updated_by }) => nameOf(updated_by), flexible: true },
    ],
    rows,
    terminal,
  )
}

export const schemaSet: View = (answer, terminal) => {
  const broken = (answer.broken as Shown[]).map(({ key, message }) => `  ${safe(`${key}: ${message}`)}\n`)
  const note =
    broken.length === 0 ? '' : `These values violate it, and stay until they are written again:\n${broken.join('')}`
  return `${terminal.paint('bold', safe(forKeys(answer)))} is now checked\n${note}`
}

export const schemaDeleted: View = (answer, terminal) =>
  `${terminal.paint('bold', safe(forKeys(answer)))} is no longer checked\n`
