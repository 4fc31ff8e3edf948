import { StringDecoder } from 'node:string_decoder'
import { OutputFile } from '../../../runner/processes/output-file.ts'
import { RunFolder } from '../../../runner/processes/run-folder.ts'
import { visibleText } from './visible-text.ts'

/** A line longer than this is shown in pieces. */
const lineCharsMax = 64 * 1024

export type Stream = 'output' | 'errors'

/** What the run of an agent has put out on this machine, line by line, as far as it has not been read. */
export class RunOutput {
  readonly #stream: Stream
  readonly #file: OutputFile
  readonly #decoder = new StringDecoder('utf8')
  #at = 0
  #begun = ''

  constructor(home: string, run: string, stream: Stream) {
    this.#stream = stream
    this.#file = new OutputFile(new RunFolder(home, run), stream, Number.POSITIVE_INFINITY)
  }

  static isHere(home: string, run: string): boolean {
    return new RunFolder(home, run).exists
  }

  /** Only what is put out from the last so many bytes on. */
  skipTo(lastBytes: number): void {
    this.#at = Math.max(0, this.#file.end - lastBytes)
  }

  /** Whole lines; at the end of a run also one that was not ended. */
  *lines(isOver: boolean): Generator<{ readonly stream: Stream; readonly text: string }> {
    const { end } = this.#file
    while (this.#at < end) {
      const { bytes, next, lost } = this.#file.read(this.#at)
      if (lost > 0) yield* this.#whole(`${this.#begun}\n[${lost} bytes were cut here]\n`)
      if (bytes.length === 0) break
      this.#at = next
      yield* this.#whole(this.#begun + this.#decoder.write(bytes))
    }
    if (isOver && this.#begun !== '') yield* this.#whole(`${this.#begun}\n`)
  }

  *#whole(text: string): Generator<{ readonly stream: Stream; readonly text: string }> {
    const lines = text.split('\n')
    const begun = lines.pop() ?? ''
    const isLong = begun.length > lineCharsMax
    this.#begun = isLong ? '' : begun
    if (isLong) lines.push(begun)
    for (const line of lines) yield { stream: this.#stream, text: visibleText(line) }
  }
}
