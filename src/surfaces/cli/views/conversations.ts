import { safe } from '../output.ts'
import type { Style, Terminal } from '../terminal.ts'
import type { ViewOf } from './view.ts'

/** Lines of a tool's result that are shown; the rest is counted. */
const resultLinesMax = 4

interface Line {
  sequence_number: number
  at: string
  role: string
  content: string
  hidden?: true
  summary?: string
}

const styles: Readonly<Record<string, Style>> = { system: 'dim', user: 'green', assistant: 'cyan', tool: 'yellow' }

function folded(text: string): string[] {
  const lines = text.split('\n')
  if (lines.length <= resultLinesMax) return lines
  return [...lines.slice(0, resultLinesMax - 1), `… ${lines.length - resultLinesMax + 1} more lines`]
}

function shown({ sequence_number, at, role, content, hidden }: Line, terminal: Terminal): string {
  const head = `${role} #${sequence_number}  ${at.slice(11, 19)}${hidden ? '  (hidden)' : ''}`
  const text = role === 'tool' ? folded(content) : content.split('\n')
  const body = text.map((line) => `  ${hidden ? terminal.paint('dim', safe(line)) : safe(line)}`)
  return [terminal.paint(hidden ? 'dim' : styles[role], head), ...body, ''].join('\n')
}

function mark({ sequence_number, content, summary }: Line, terminal: Terminal): string {
  const line = terminal.paint('dim', `── ${safe(content)} (#${sequence_number}) ──`)
  return summary === undefined
    ? `${line}\n`
    : [line, ...summary.split('\n').map((each) => `  ${safe(each)}`), ''].join('\n')
}

/** A conversation as people read it; in another form it is JSON. */
export const transcript: ViewOf<'context.show'> = ({ messages, format, last_sequence, session_id }, terminal) => {
  if (format !== 'text') return `${JSON.stringify(messages, null, 2)}\n`
  const lines = messages as unknown as Line[]
  if (lines.length === 0) {
    return `No messages yet. Append one with cairn context append ${session_id.slice(-8)} --role user --content TEXT.\n`
  }
  const text = lines.map((line) => (line.role === 'mark' ? mark(line, terminal) : shown(line, terminal)))
  return `${text.join('\n')}\n${terminal.paint('dim', `at #${last_sequence}`)}\n`
}

export const appendedMessage: ViewOf<'context.append'> = ({ sequence_number, repeated, redacted }) => {
  const replaced = redacted?.length ?? 0
  const secrets = replaced === 0 ? '' : ` (${replaced} ${replaced === 1 ? 'secret was' : 'secrets were'} replaced)`
  return `${repeated ? 'Already recorded as' : 'Recorded as'} #${sequence_number}.${secrets}\n`
}

export const overwritten: ViewOf<'context.overwrite'> = ({ hidden, last_sequence, changed }) => {
  const keys = changed?.length
  const state = keys === undefined ? '' : ` ${keys} ${keys === 1 ? 'key' : 'keys'} of the state restored.`
  return `${hidden} ${hidden === 1 ? 'event is' : 'events are'} hidden now; nothing was deleted. The conversation is at #${last_sequence}.${state}\n`
}

export const copiedSession: ViewOf<'context.copy'> = ({ session_id, root_session_id, copied }) =>
  `Copied ${copied} ${copied === 1 ? 'event' : 'events'} to session ${session_id}\n${
    session_id === root_session_id ? '' : `  root  ${root_session_id}\n`
  }`

export const compactedContext: ViewOf<'context.compact'> = ({ from, upto, sequence_number }) =>
  `#${from} to #${upto} are replaced by the summary (#${sequence_number}); they stay readable with --all.\n`
