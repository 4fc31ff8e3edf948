import { printNote, printOut } from '../output.ts'

/** Lines that stay in their place on a terminal: only those that have changed are written again, all at once, so that nothing flickers. */
export class LiveScreen {
  readonly #stream: 1 | 2
  #shown: readonly string[] = []
  readonly #restore = (): void => this.#write('\u001b[?25h')
  readonly #resized = (): void => {
    // What was shown may stand on other lines now.
    this.#write('\u001b[2J\u001b[H')
    this.#shown = []
  }

  constructor(stream: 1 | 2) {
    this.#stream = stream
    this.#write('\u001b[?25l')
    process.once('exit', this.#restore)
    this.#output.on('resize', this.#resized)
  }

  get rows(): number {
    return this.#output.rows ?? 24
  }

  draw(lines: readonly string[]): void {
    const up = this.#shown.length === 0 ? '' : `\u001b[${this.#shown.length}A`
    const body = lines.map((line, at) => (line === this.#shown[at] ? '\n' : `\u001b[2K${line}\n`)).join('')
    const rest = lines.length < this.#shown.length ? '\u001b[J' : ''
    this.#shown = lines
    this.#write(`${up}\r${body}${rest}`)
  }

  /** What was drawn last stays. */
  close(): void {
    process.off('exit', this.#restore)
    this.#output.off('resize', this.#resized)
    this.#restore()
  }

  get #output() {
    return this.#stream === 1 ? process.stdout : process.stderr
  }

  #write(text: string): void {
    if (this.#stream === 1) printOut(text)
    else printNote(text)
  }
}
