import type { Answer } from '../../../domain/log/rows.ts'
import { safe } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { shortId, type View } from './view.ts'

/** One line a check, what is wrong in red. */
export const checkup: View = ({ ok, checks }, terminal) => {
  const shown = checks as unknown as Checked[]
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, ok: fine, detail }) => {
    const word = fine ? terminal.paint('green', 'ok    ') : terminal.paint('red', 'wrong ')
    return `${word}  ${name.padEnd(width)}  ${safe(detail)}\n`
  })
  const end = ok
    ? 'No problems found.\n'
    : `${terminal.paint('red', 'Problems found.')} cairn doctor --repair rebuilds views and makes files private.\n`
  return lines.join('') + end
}

/** What was taken out, and where it may still be. */
export const erased: View = (answer, terminal) => {
  const { key, events, versions, answers } = answer
  const done = `Erased ${safe(String(key))}: ${counted(events, 'event')}, ${counted(versions, 'version')}, ${counted(answers, 'answer')}\n`
  return done + elsewhere(answer, terminal)
}

export const removed: View = (answer, terminal) => {
  const { root_session_id: id, events } = answer
  return `Removed ${shortId(id)} with ${counted(events, 'event')}\n${elsewhere(answer, terminal)}`
}

export const compacted: View = ({ root_session_id: id, events, versions, floor }) => {
  if (events === 0 && versions === 0) return `Nothing to compact in ${shortId(id)}: no history is old enough.\n`
  const kept = `history is kept from event ${floor} on`
  return `Compacted ${shortId(id)}: removed ${counted(events, 'event')} and ${counted(versions, 'version')}; ${kept}\n`
}

export const collected: View = ({ lapsed, requests, uploads, hidden }) =>
  `Removed ${counted(requests, 'old request id')}, ${counted(uploads, 'broken upload')} and ${counted(hidden, 'hidden message')}; recorded ${counted(lapsed, 'expired key')}\n`

export const backedUp: View = ({ file, bytes, roots }) =>
  `Backed up ${counted(roots, 'root')} to ${safe(String(file))} (${counted(bytes, 'byte')})\n`

export const restoredStore: View = ({ file, roots, events }) =>
  `Restored ${counted(roots, 'root')} with ${counted(events, 'event')} from ${safe(String(file))}\n`

function counted(count: unknown, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function elsewhere({ beyond_reach: places }: Answer, terminal: Terminal): string {
  const lines = (places as string[]).map((place) => `  - ${safe(place)}\n`)
  return lines.length === 0
    ? ''
    : `${terminal.paint('dim', 'Out of reach of Cairn, and may still contain it:')}\n${lines.join('')}`
}

interface Checked {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}
