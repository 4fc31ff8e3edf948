import type { ToolCalled } from '../../../runner/model/turn.ts'
import { printNote, printOut, safe, safeLines } from '../output.ts'
import { cut } from '../table.ts'
import { terminalOf } from '../terminal.ts'

/** What people see of an agent that works: its text on stdout as it comes, everything else dim on stderr. */
export class Screen {
  /** Only one document is printed, at the end. */
  readonly isJson: boolean
  readonly #terminal = terminalOf(2)
  #isWithinLine = false
  #hasText = false

  constructor(isJson: boolean) {
    this.isJson = isJson
  }

  onText(text: string): void {
    if (this.isJson || text === '') return
    printOut(safeLines(text))
    this.#hasText = true
    this.#isWithinLine = !text.endsWith('\n')
  }

  onCall({ name, input }: ToolCalled): void {
    this.onNote(`→ ${name} ${JSON.stringify(input ?? {})}`)
  }

  onResult(_call: ToolCalled, result: string): void {
    this.onNote(`← ${result}`)
  }

  onNote(note: string): void {
    this.endLine()
    const line = cut(safe(note.replace(/\s+/g, ' ')), this.#terminal.columns)
    printNote(`${this.#terminal.paint('dim', line)}\n`)
  }

  /** A text that was answered before this began is shown whole. */
  end(text: string): void {
    if (!this.#hasText) this.onText(text)
    this.endLine()
  }

  /** What is printed next begins a line. */
  endLine(): void {
    if (this.#isWithinLine) printOut('\n')
    this.#isWithinLine = false
  }
}
