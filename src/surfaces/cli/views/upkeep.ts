import { safe } from '../output.ts'
import type { View } from './view.ts'

/** One line a check, what is wrong in red. */
export const checkup: View = ({ ok, checks }, terminal) => {
  const shown = checks as unknown as Checked[]
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, ok: fine, detail }) => {
    const word = fine ? terminal.paint('green', 'ok    ') : terminal.paint('red', 'wrong ')
    return `${word}  ${name.padEnd(width)}  ${safe(detail)}\n`
  })
  const end = ok
    ? 'All is well.\n'
    : `${terminal.paint('red', 'Something is wrong.')} cairn doctor --repair rebuilds views.\n`
  return lines.join('') + end
}

interface Checked {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}
