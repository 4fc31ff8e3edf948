import { safe } from '../output.ts'
import type { Terminal } from '../terminal.ts'

/** Lines that are shown around a change. */
const contextLines = 2

type Kind = ' ' | '-' | '+'
interface Line {
  readonly kind: Kind
  readonly text: string
}

/** The lines of two texts as they differ: the shortest way from one to the other, after Myers. */
function compared(before: readonly string[], after: readonly string[]): Line[] {
  const trace: Map<number, number>[] = []
  let reach = new Map([[1, 0]])
  for (let steps = 0; ; steps++) {
    trace.push(reach)
    reach = new Map(reach)
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = startOn(diagonal, steps, reach)
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++
      reach.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) return walked(trace, before, after)
    }
  }
}

/** How far one gets on a diagonal with one step more: down (a line is added) or to the right (one is left out). */
function startOn(diagonal: number, steps: number, reach: ReadonlyMap<number, number>): number {
  const [below = -1, above = -1] = [reach.get(diagonal - 1), reach.get(diagonal + 1)]
  const isDown = diagonal === -steps || (diagonal !== steps && below < above)
  return isDown ? above : below + 1
}

function walked(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Line[] {
  const lines: Line[] = []
  let [x, y] = [before.length, after.length]
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const reach = trace[steps] as ReadonlyMap<number, number>
    const diagonal = x - y
    const [below = -1, above = -1] = [reach.get(diagonal - 1), reach.get(diagonal + 1)]
    const isDown = diagonal === -steps || (diagonal !== steps && below < above)
    const fromX = steps === 0 ? 0 : isDown ? above : below
    const fromY = steps === 0 ? 0 : fromX - (isDown ? diagonal + 1 : diagonal - 1)
    while (x > fromX && y > fromY) lines.push({ kind: ' ', text: before[--x] as string }) && y--
    if (steps === 0) break
    if (isDown) lines.push({ kind: '+', text: after[--y] as string })
    else lines.push({ kind: '-', text: before[--x] as string })
  }
  return lines.reverse()
}

const linesOf = (text: string | undefined) => (text ? text.replace(/\n$/, '').split(/\r?\n/) : [])

/** A longer line is shown from shortly before it differs. */
const lineCharsMax = 200
const aroundChars = 40

/** Long lines that replace each other, cut to where they differ; other long lines are cut at their end. */
function focused(lines: readonly Line[]): Line[] {
  return lines.map(({ kind, text }, at) => {
    if (text.length <= lineCharsMax) return { kind, text }
    const [before, next] = [lines[at - 1], lines[at + 1]]
    const other = kind === '-' && next?.kind === '+' ? next : kind === '+' && before?.kind === '-' ? before : undefined
    let same = 0
    while (other !== undefined && same < text.length && text[same] === other.text[same]) same++
    const from = Math.max(0, same - aroundChars)
    const shown = text.slice(from, from + lineCharsMax)
    return { kind, text: `${from > 0 ? '…' : ''}${shown}${from + lineCharsMax < text.length ? '…' : ''}` }
  })
}

/** Lines that are shown together, and where they stand in both texts. */
interface Hunk {
  readonly old: number
  readonly now: number
  readonly lines: Line[]
}

function hunksOf(lines: readonly Line[]): Hunk[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(({ kind }) => kind !== ' ')
  const hunks: Hunk[] = []
  let [old, now] = [1, 1]
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) {
      if (at === 0 || !isNear(at - 1)) hunks.push({ old, now, lines: [] })
      hunks.at(-1)?.lines.push(line)
    }
    if (line.kind !== '+') old++
    if (line.kind !== '-') now++
  }
  return hunks
}

/** Where the lines of one side begin and how many they are; of none it is the line before. */
function rangeOf(first: number, lines: readonly Line[], other: Kind): string {
  const count = lines.filter(({ kind }) => kind !== other).length
  return `${count === 0 ? first - 1 : first},${count}`
}

/** What changes in a file, as `diff -u` writes it and `patch` reads it; only lines that are very long are cut. */
export function diffText(
  path: string,
  before: string | undefined,
  after: string | undefined,
  terminal: Terminal,
): string {
  const shown = hunksOf(focused(compared(linesOf(before), linesOf(after)))).flatMap(({ old, now, lines }) => [
    terminal.paint('cyan', `@@ -${rangeOf(old, lines, '+')} +${rangeOf(now, lines, '-')} @@`),
    ...lines.map(({ kind, text }) => terminal.paint(colours[kind], `${kind}${text.split('\t').map(safe).join('\t')}`)),
  ])
  const names = [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${after === undefined ? '/dev/null' : path}`]
  return [...names.map((name) => terminal.paint('bold', name)), ...shown, ''].join('\n')
}

const colours = { ' ': 'dim', '-': 'red', '+': 'green' } as const
