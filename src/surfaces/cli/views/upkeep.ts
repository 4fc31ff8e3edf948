import { safe } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { shortId, type ViewOf } from './view.ts'

/** One line a check, what is wrong in red. */
export const checkup: ViewOf<'store.doctor'> = ({ ok, checks }, terminal) => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.map(({ name, ok: fine, detail }) => {
    const word = fine ? terminal.paint('green', 'ok    ') : terminal.paint('red', 'wrong ')
    return `${word}  ${name.padEnd(width)}  ${safe(detail)}\n`
  })
  const end = ok
    ? 'No problems found.\n'
    : `${terminal.paint('red', 'Problems found.')} cairn doctor --repair rebuilds views and makes files private.\n`
  return lines.join('') + end
}

/** What was taken out, and where it may still be. */
export const erased: ViewOf<'store.erase'> = (answer, terminal) => {
  const { key, events, versions, answers } = answer
  const done = `Erased ${safe(key)}: ${counted(events, 'event')}, ${counted(versions, 'version')}, ${counted(answers, 'answer')}\n`
  return done + elsewhere(answer, terminal)
}

export const removed: ViewOf<'store.remove'> = (answer, terminal) => {
  const { root_session_id: id, events } = answer
  return `Removed ${shortId(id)} with ${counted(events, 'event')}\n${elsewhere(answer, terminal)}`
}

export const compacted: ViewOf<'store.compact'> = ({ root_session_id: id, events, versions, floor }) => {
  if (events === 0 && versions === 0) return `Nothing to compact in ${shortId(id)}: no history is old enough.\n`
  const kept = `history is kept from event ${floor} on`
  return `Compacted ${shortId(id)}: removed ${counted(events, 'event')} and ${counted(versions, 'version')}; ${kept}\n`
}

export const collected: ViewOf<'store.gc'> = ({ lapsed, requests, uploads, hidden }) =>
  `Removed ${counted(requests, 'old request id')}, ${counted(uploads, 'broken upload')} and ${counted(hidden, 'hidden message')}; recorded ${counted(lapsed, 'expired key')}\n`

export const backedUp: ViewOf<'store.backup'> = ({ file, bytes, roots }) =>
  `Backed up ${counted(roots, 'root')} to ${safe(file)} (${counted(bytes, 'byte')})\n`

export const restoredStore: ViewOf<'store.restore'> = ({ file, roots, events }) =>
  `Restored ${counted(roots, 'root')} with ${counted(events, 'event')} from ${safe(file)}\n`

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function elsewhere({ beyond_reach: places }: { beyond_reach: readonly string[] }, terminal: Terminal): string {
  const lines = places.map((place) => `  - ${safe(place)}\n`)
  return lines.length === 0
    ? ''
    : `${terminal.paint('dim', 'Out of reach of Cairn, and may still contain it:')}\n${lines.join('')}`
}
