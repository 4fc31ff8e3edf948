import { widthOf } from './table.ts'
import type { Style, Terminal } from './terminal.ts'

/** A text as lines that break between words; a word that is too long has a line of its own. */
export function wrapped(text: string, columns: number): string[] {
  return filled(text.split(' '), columns)
}

/** The same of a usage line, in which what is in brackets stays together. */
export function wrappedUsage(usage: string, columns: number): string[] {
  return filled(usage.match(/\[[^\]]*\]|\S+/g) ?? [], columns)
}

function filled(words: readonly string[], columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && widthOf(line) + widthOf(word) + 1 > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Sentences for people: on a terminal they break at its width, elsewhere they are one line that can be searched. */
export function sentences(text: string, terminal: Terminal): string {
  return terminal.isTerminal ? wrapped(text, terminal.columns).join('\n') : text
}

/** `error: …`, with the first word painted. */
export function labelled(label: string, style: Style, text: string, terminal: Terminal): string {
  return terminal.paint(style, label) + sentences(`${label} ${text}`, terminal).slice(label.length)
}
