import { safeLines } from '../output.ts'

/** Colours, moves of the cursor, titles, links: what programs write for a terminal of their own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g

/** What an agent has put out, without what a terminal would obey. Of a line that was written over, the last writing. */
export function visibleText(text: string): string {
  const lines = text.replace(escapes, '').split('\n')
  return safeLines(lines.map((line) => writtenLast(line).replaceAll('\t', '    ')).join('\n'))
}

/** A progress bar returns to the beginning of its line again and again. */
function writtenLast(line: string): string {
  const whole = line.replace(/\r+$/, '')
  return whole.slice(whole.lastIndexOf('\r') + 1)
}
