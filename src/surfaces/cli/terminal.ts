import { isatty } from 'node:tty'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Style = keyof typeof codes

/** Where a line is cut when nobody says how wide the screen is. */
const columnsUsual = 120

/** What is known of the screen that a text is made for. */
export interface Terminal {
  readonly isTerminal: boolean
  readonly columns: number
  paint(style: Style | undefined, text: string): string
}

/** The terminal behind stdout (1) or stderr (2); plain text when there is none, or when colour is not wanted. */
export function terminalOf(stream: 1 | 2): Terminal {
  const { NO_COLOR, TERM } = process.env
  const isTerminal = isatty(stream)
  const coloured = isTerminal && !NO_COLOR && TERM !== 'dumb'
  const { columns } = stream === 1 ? process.stdout : process.stderr
  return {
    isTerminal,
    columns: (isTerminal && columns) || columnsUsual,
    paint: (style, text) => (coloured && style ? `\u001b[${codes[style]}m${text}\u001b[0m` : text),
  }
}
