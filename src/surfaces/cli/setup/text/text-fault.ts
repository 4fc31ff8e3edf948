/** Why a text cannot be read or edited, and where. */
export class TextFault extends Error {
  readonly code: 'invalid_input' | 'already_exists'
  readonly line: number
  readonly column: number

  constructor(problem: string, text: string, offset: number, code: TextFault['code'] = 'invalid_input') {
    super(problem)
    this.code = code
    const before = text.slice(0, offset)
    this.line = lineAt(text, offset)
    this.column = offset - (before.lastIndexOf('\n') + 1) + 1
  }
}

/** The number of the line that an offset is in, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
