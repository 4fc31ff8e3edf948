import type { Json } from '../../../json/value.ts'
import { safe } from '../output.ts'
import { table } from '../table.ts'
import { fields } from './fields.ts'
import { ago, type View } from './view.ts'

type Shown = { readonly [name: string]: Json }

export const commitTable: View = ({ commits }, terminal) => {
  const rows = commits as Shown[]
  if (rows.length === 0) return 'No commits. Record one with cairn commit SHA -m "MESSAGE".\n'
  return table<Shown>(
    [
      { title: 'COMMIT', cell: ({ sha }) => String(sha).slice(0, 12), style: () => 'bold' },
      { title: 'CHECKPOINT', cell: ({ checkpoint }) => String(checkpoint ?? '–'), right: true },
      { title: 'RECORDED', cell: ({ created_at }) => ago(created_at) },
      { title: 'MESSAGE', cell: ({ message }) => String(message).split('\n')[0] ?? '', flexible: true },
    ],
    rows,
    terminal,
  )
}

export const commitAdded: View = ({ sha, message, added }, terminal) => {
  const said = added === false ? 'was recorded before' : 'is recorded'
  return `${terminal.paint('bold', String(sha).slice(0, 12))} ${said}: ${safe(String(message).split('\n')[0] ?? '')}\n`
}

export const artifactTable: View = ({ artifacts }, terminal) => {
  const rows = artifacts as Shown[]
  if (rows.length === 0) return 'No artifacts. Name one with cairn artifact add NAME PATH.\n'
  return table<Shown>(
    [
      { title: 'ARTIFACT', cell: ({ name }) => String(name), style: () => 'bold', flexible: true },
      { title: 'PATH', cell: ({ path }) => String(path), flexible: true },
      { title: 'RECORDED', cell: ({ recorded_at }) => ago(recorded_at) },
    ],
    rows,
    terminal,
  )
}

export const artifactAdded: View = ({ name, path }, terminal) =>
  `${terminal.paint('bold', safe(String(name)))} is ${safe(String(path))}\n`

export const gitSaid: View = ({ branch, worktree, base_branch }, terminal, around) =>
  fields({ branch: branch ?? null, worktree: worktree ?? null, base_branch: base_branch ?? null }, terminal, around)

export const statusSaid: View = ({ status, was, changed }, terminal) =>
  changed === false
    ? `the session is ${terminal.paint('bold', String(status))} already\n`
    : `the session is ${terminal.paint('bold', String(status))}; it was ${was}\n`
