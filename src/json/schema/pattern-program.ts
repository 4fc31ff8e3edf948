import type { Program, Step } from './pattern.ts'

/** Repetitions with a count are written out; a pattern of more steps is a way to fill memory. */
const stepsMax = 2000

/** One character of a pattern, or a class of characters; `u` patterns have no other escapes. */
const atom = new RegExp(
  [
    String.raw`\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}`,
    String.raw`\\u\{[\da-fA-F]+\}`,
    String.raw`\\u[\da-fA-F]{4}`,
    String.raw`\\x[\da-fA-F]{2}`,
    String.raw`\\c[A-Za-z]`,
    String.raw`\\[pP]\{[^}]*\}`,
    String.raw`\\[\s\S]`,
    String.raw`\[(?:\\[\s\S]|[^\]\\])*\]`,
    String.raw`[\s\S]`,
  ].join('|'),
  'uy',
)
const repetition = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y

/** Reads a regular expression that is known to be one. Answers with what cannot be matched in linear time. */
export function parsePattern(source: string): Program | string {
  const reader = new Reader(source)
  const build = reader.choice()
  if (reader.fault !== undefined) return reader.fault
  const steps: Step[] = [{ end: true }]
  const start = build(steps, 0)
  if (start === undefined) return `repeats into more than ${stepsMax} steps`
  // The program begins with its last step, so that there is one.
  steps.push({ ways: [start] })
  return steps
}

/** Adds the steps of a part of a pattern that go on at `next`; answers with the first of them, or undefined when they are too many. */
type Build = (steps: Step[], next: number) => number | undefined

class Reader {
  fault: string | undefined
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  choice(): Build {
    const ways = [this.#sequence()]
    while (this.#takes('|')) ways.push(this.#sequence())
    return ways.length === 1 ? (ways[0] as Build) : oneOf(ways)
  }

  #sequence(): Build {
    const parts: Build[] = []
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '') && this.fault === undefined)
      parts.push(this.#repeated(this.#part()))
    // Nothing at all is a step too, or nothing could be repeated without end.
    return parts.length === 0 ? place(() => true) : inTurn(parts)
  }

  #part(): Build {
    if (this.#takes('(')) return this.#group()
    if (this.#takes('^')) return place((before) => before === '')
    if (this.#takes('$')) return place((_before, after) => after === '')
    if (this.#takes('\\b')) return place((before, after) => isWord(before) !== isWord(after))
    if (this.#takes('\\B')) return place((before, after) => isWord(before) === isWord(after))
    const text = this.#match(atom)?.[0] ?? ''
    return /^\\[1-9k]/.test(text) ? this.#refused('refers back to a group') : character(text)
  }

  #group(): Build {
    if (this.#takes('?')) {
      if (!this.#takes(':') && this.#match(/<[^=!][^>]*>/y) === null) {
        return this.#refused('looks ahead or behind, or changes flags')
      }
    }
    const inside = this.choice()
    this.#takes(')')
    return inside
  }

  #refused(what: string): Build {
    this.fault ??= `${what}, which is not supported`
    return place(() => true)
  }

  #repeated(part: Build): Build {
    const found = this.#match(repetition)
    if (found === null) return part
    const [text, least, more, most] = found
    if (text.startsWith('*')) return repeat(part, 0, Number.POSITIVE_INFINITY)
    if (text.startsWith('+')) return repeat(part, 1, Number.POSITIVE_INFINITY)
    if (text.startsWith('?')) return repeat(part, 0, 1)
    const last = more === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return repeat(part, Number(least), last)
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#source)
    this.#at += found?.[0].length ?? 0
    return found
  }
}

function isWord(character: string): boolean {
  return /^\w$/.test(character)
}

function added(steps: Step[], step: Step): number | undefined {
  return steps.length >= stepsMax ? undefined : steps.push(step) - 1
}

/** Whether one character fits is asked of the engine of the language itself; each character is asked about once. */
function character(text: string): Build {
  const single = new RegExp(`^${text}$`, 'u')
  const known = new Map<string, boolean>()
  const fits = (asked: string) => {
    let answer = known.get(asked)
    if (answer === undefined) {
      answer = single.test(asked)
      if (known.size < 256) known.set(asked, answer)
    }
    return answer
  }
  return (steps, next) => added(steps, { fits, next })
}

function place(at: (before: string, after: string) => boolean): Build {
  return (steps, next) => added(steps, { at, next })
}

function inTurn(parts: readonly Build[]): Build {
  return (steps, next) =>
    parts.reduceRight<number | undefined>((at, part) => (at === undefined ? at : part(steps, at)), next)
}

function oneOf(ways: readonly Build[]): Build {
  return (steps, next) => {
    const starts = ways.map((way) => way(steps, next))
    return starts.includes(undefined) ? undefined : added(steps, { ways: starts as number[] })
  }
}

function repeat(part: Build, least: number, most: number): Build {
  // More than can be written out is refused when it is; a huge count is not counted up to first.
  const always = Array.from({ length: Math.min(least, stepsMax + 1) }, () => part)
  return inTurn([...always, most === Number.POSITIVE_INFINITY ? endless(part) : upTo(part, most - least)])
}

/** Up to so many times; after each of them it may go on at once. */
function upTo(part: Build, most: number): Build {
  return (steps, next) => {
    let at: number | undefined = next
    for (let left = most; left > 0 && at !== undefined; left--) {
      const start = part(steps, at)
      at = start === undefined ? undefined : added(steps, { ways: [start, next] })
    }
    return at
  }
}

function endless(part: Build): Build {
  return (steps, next) => {
    const loop = { ways: [next] as number[] }
    const at = added(steps, loop)
    const start = at === undefined ? undefined : part(steps, at)
    if (start !== undefined) loop.ways.push(start)
    return start === undefined ? undefined : at
  }
}
