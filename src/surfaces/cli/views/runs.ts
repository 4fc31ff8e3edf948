import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import { ago, shortId, type ViewOf } from './view.ts'

type RunShown = AnswerOf<'run.list'>['runs'][number]

function tokensOf({ usage }: RunShown): string {
  const { input_tokens: read, output_tokens: written } = usage ?? {}
  return read === undefined && written === undefined ? '–' : `${read ?? 0} in, ${written ?? 0} out`
}

function endOf({ ended_at: ended, how, reason }: RunShown): string {
  if (ended === null) return 'goes on'
  return reason === null ? (how ?? 'ended') : `${how ?? 'ended'}: ${reason}`
}

export const runTable: ViewOf<'run.list'> = ({ runs }, terminal) => {
  if (runs.length === 0) return 'No runs.\n'
  return table<RunShown>(
    [
      { title: 'RUN', cell: ({ run }) => shortId(run), style: () => 'bold' },
      { title: 'SESSION', cell: ({ session_id }) => shortId(session_id) },
      { title: 'MODE', cell: ({ mode }) => mode },
      { title: 'MODEL', cell: ({ model }) => model ?? '–', flexible: true },
      { title: 'STARTED', cell: ({ started_at: at }) => ago(at) },
      { title: 'TOKENS', cell: tokensOf },
      { title: 'END', cell: endOf, flexible: true, style: ({ how }) => (how === 'failed' ? 'red' : undefined) },
    ],
    runs,
    terminal,
  )
}
