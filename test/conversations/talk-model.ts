// What conversations are, said in the plainest way: every version keeps a list of what was visible then. A copy is a copy.

export interface Said {
  readonly type: string
  readonly version: number
  readonly seq: number
  /** Of a call or a result: the version of the message that the call stands in. */
  readonly of?: number
  readonly calls?: readonly string[]
  readonly text?: string
}

/** The conversation of one session. */
export class Talk {
  readonly said: Said[] = []
  /** What was visible after each version. */
  readonly visible: (readonly Said[])[] = [[]]

  get last(): number {
    return this.said.length
  }

  get now(): readonly Said[] {
    return this.visible[this.last] ?? []
  }

  add(event: Omit<Said, 'version'>, visible?: readonly Said[]): Said {
    const made = { ...event, version: this.last + 1 }
    const after = visible ?? [...this.now, made]
    this.said.push(made)
    this.visible.push(after)
    return made
  }

  /** As it was when the log had come to an event. */
  upTo(seq: number): Talk {
    const copy = new Talk()
    copy.said.push(...this.said.filter((each) => each.seq <= seq))
    copy.visible.push(...this.visible.slice(1, copy.said.length + 1))
    return copy
  }

  /** Whether it may be cut after a version. */
  mayCut(version: number): boolean {
    if (version > this.last) return false
    const next = this.said[version]
    return version === 0 || next === undefined || !this.#goesOn(next)
  }

  #goesOn({ type, of = 0, version }: Said): boolean {
    if (type === 'tool_call') return true
    if (type !== 'tool_result') return false
    return this.said.slice(of, version - 1).every((each) => each.type.startsWith('tool_') && each.of === of)
  }

  /** Calls of visible messages that have no result. What was brought in from another conversation is answered there or nowhere. */
  openCalls(): { readonly id: string; readonly of: number }[] {
    const done = new Set(this.said.filter(({ type }) => type === 'tool_result').map(({ text }) => text))
    const own = this.now.filter((each) => this.said[each.version - 1] === each)
    // A fork may begin between a message and its calls.
    const called = new Set(this.said.filter(({ type }) => type === 'tool_call').map(({ text }) => text))
    return own.flatMap(({ calls = [], version }) =>
      calls.filter((id) => called.has(id) && !done.has(id)).map((id) => ({ id, of: version })),
    )
  }
}

/** A root: the conversations of its sessions, by their numbers, and how long its log is. */
export class Root {
  readonly ids: string[]
  readonly talks: Talk[]
  seq: number

  constructor(ids: string[], talks: Talk[], seq: number) {
    this.ids = ids
    this.talks = talks
    this.seq = seq
  }
}
