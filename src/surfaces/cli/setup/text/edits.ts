/** A change of a text: what stood at an offset, and what stands there instead. */
export interface Edit {
  readonly at: number
  readonly took: string
  readonly put: string
}

/** Edits that are made at once: their offsets, in ascending order, are those of the text as it was. */
export type Edits = readonly Edit[]

export function applied(text: string, edits: Edits): string {
  let after = ''
  let from = 0
  for (const { at, took, put } of edits) {
    if (at < from || !text.startsWith(took, at)) throw new Error(`no ${JSON.stringify(took)} at ${at}`)
    after += text.slice(from, at) + put
    from = at + took.length
  }
  return after + text.slice(from)
}

/** What takes the edits back, on the text that they gave. */
export function inverse(edits: Edits): Edits {
  let moved = 0
  return edits.map(({ at, took, put }) => {
    const back = { at: at + moved, took: put, put: took }
    moved += put.length - took.length
    return back
  })
}

/** The line ending that a text uses. */
export function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}
