import { type Run, stepsMax } from './clause.ts'
import { parsePattern } from './pattern-program.ts'

/** A pattern is a rule that people read. */
const patternUnitsMax = 512

/** Whether the pattern is found anywhere in a text. */
export type Pattern = (text: string, run: Pick<Run, 'steps'>) => boolean

/**
 * An ECMA regular expression that is matched in time linear in the text, whatever the pattern: all ways through it are
 * followed at once. A backtracking match takes years for `(a+)+$`, and writers of the root would wait for it. What
 * cannot be matched so (looking around, referring back) is refused. Answers with what is wrong when it cannot be used.
 */
export function patternOf(source: string): Pattern | string {
  if (source.length > patternUnitsMax) return `is longer than ${patternUnitsMax} characters`
  try {
    new RegExp(source, 'u')
  } catch {
    return 'is not a valid regular expression'
  }
  const program = parsePattern(source)
  if (typeof program === 'string') return program
  return (text, run) => matches(program, text, run)
}

/** One step of a pattern: a character that fits, a place that fits, a choice of ways, or the end. */
export type Step =
  | { readonly fits: (character: string) => boolean; readonly next: number }
  | { readonly at: (before: string, after: string) => boolean; readonly next: number }
  | { ways: readonly number[] }
  | { readonly end: true }

/** The steps of a pattern; it begins with the last. */
export type Program = readonly Step[]

function matches(program: Program, text: string, run: Pick<Run, 'steps'>): boolean {
  let now = new Set<number>()
  let before = ''
  const start = program.length - 1
  for (const after of [...text, '']) {
    now.add(start)
    // Ways that need no character are followed while the set grows: a Set is walked in the order of adding.
    const following = new Set<number>()
    for (const at of now) {
      run.steps += 1 / 2
      // Whoever called sees that it took too long.
      if (run.steps > stepsMax) return false
      const step = program[at] as Step
      if ('end' in step) return true
      if ('ways' in step) for (const way of step.ways) now.add(way)
      else if ('at' in step) {
        if (step.at(before, after)) now.add(step.next)
      } else if (after !== '' && step.fits(after)) following.add(step.next)
    }
    now = following
    before = after
  }
  return false
}
