import { safe } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import { fields } from './fields.ts'
import { ago, type ViewOf } from './view.ts'

export const commitTable: ViewOf<'commit.list'> = ({ commits }, terminal) => {
  if (commits.length === 0) return 'No commits. Record one with cairn commit SHA -m "MESSAGE".\n'
  return table<AnswerOf<'commit.list'>['commits'][number]>(
    [
      { title: 'COMMIT', cell: ({ sha }) => sha.slice(0, 12), style: () => 'bold' },
      { title: 'CHECKPOINT', cell: ({ checkpoint }) => String(checkpoint ?? '–'), right: true },
      { title: 'RECORDED', cell: ({ created_at }) => ago(created_at) },
      { title: 'MESSAGE', cell: ({ message }) => message.split('\n')[0] ?? '', flexible: true },
    ],
    commits,
    terminal,
  )
}

export const commitAdded: ViewOf<'commit.add'> = ({ sha, message, added }, terminal) => {
  const said = added === false ? 'was recorded before' : 'is recorded'
  return `${terminal.paint('bold', sha.slice(0, 12))} ${said}: ${safe(message.split('\n')[0] ?? '')}\n`
}

export const artifactTable: ViewOf<'artifact.list'> = ({ artifacts }, terminal) => {
  if (artifacts.length === 0) return 'No artifacts. Name one with cairn artifact add NAME PATH.\n'
  return table<AnswerOf<'artifact.list'>['artifacts'][number]>(
    [
      { title: 'ARTIFACT', cell: ({ name }) => name, style: () => 'bold', flexible: true },
      { title: 'PATH', cell: ({ path }) => path, flexible: true },
      { title: 'RECORDED', cell: ({ recorded_at }) => ago(recorded_at) },
    ],
    artifacts,
    terminal,
  )
}

export const artifactAdded: ViewOf<'artifact.add'> = ({ name, path }, terminal) =>
  `${terminal.paint('bold', safe(name))} is ${safe(path)}\n`

export const gitSaid: ViewOf<'git.set'> = ({ branch, worktree, base_branch }, terminal, around) =>
  fields({ branch: branch ?? null, worktree: worktree ?? null, base_branch: base_branch ?? null }, terminal, around)

export const statusSaid: ViewOf<'session.setStatus'> = ({ status, was, changed }, terminal) =>
  changed === false
    ? `the session is ${terminal.paint('bold', status)} already\n`
    : `the session is ${terminal.paint('bold', status)}; it was ${was}\n`
