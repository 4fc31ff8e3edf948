import { list, type Schema, text } from '../input-schema.ts'
import { entryCharsCeiling } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { hasControls } from './plain-text.ts'

/** A line of an entry: a name, a path, what is affected. */
export const lineCharsMax = 500

function blank(): Refusal {
  return refuse('invalid_input', 'The text is blank.', 'Write what is meant.')
}

/** Line breaks and tabs belong to prose; what a terminal would obey does not. */
function checkProse(value: string, { entryChars }: { readonly entryChars: number }): Refusal | undefined {
  if (value.trim() === '') return blank()
  if (value.length > entryChars) {
    const message = `The text has ${value.length} characters; the limit entryChars is ${entryChars}.`
    const hint = 'Write it into a file of the project and name that here.'
    return refuse('invalid_input', message, hint, { limit: 'entryChars', limit_value: entryChars })
  }
  if (!hasControls(value.replace(/\r?\n|\t/g, ' '))) return undefined
  const hint = 'Use visible characters, line breaks and tabs.'
  return refuse('invalid_input', 'The text contains control characters.', hint)
}

function checkLine(value: string): Refusal | undefined {
  if (value.trim() === '') return blank()
  if (!hasControls(value)) return undefined
  return refuse('invalid_input', 'The text contains control characters.', 'Use visible characters on one line.')
}

/** A text that people read: an entry of the plan or the journal. */
export function prose(about: string): Schema<string> & { readonly isProse: true } {
  return { ...text(about, { max: entryCharsCeiling, check: checkProse }), isProse: true }
}

export function line(about: string, max = lineCharsMax): Schema<string> {
  return text(about, { max, check: checkLine })
}

/** A path within the project: one of a machine, or out of the project, is never recorded. */
function checkPath(value: string): Refusal | undefined {
  const refusal = checkLine(value)
  if (refusal) return refusal
  const isOutside = /^([/\\~]|[A-Za-z]:)/.test(value) || value.split(/[/\\]/).includes('..')
  if (!isOutside) return undefined
  const hint = 'Give a path relative to the project directory.'
  return refuse('invalid_input', 'The path leads out of the project.', hint)
}

export function projectPath(about: string): Schema<string> {
  return text(about, { max: 1024, check: checkPath })
}

/** A member that null takes away. */
export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return {
    ...schema,
    json: { ...schema.json, type: [schema.json.type ?? 'string', 'null'] },
    check: (value, path, limits) => (value === null ? null : schema.check(value, path, limits)),
  }
}

/** Items that one fact can add to the journal. */
const someMax = 100

/** A list of bounded length. */
export function some<T>(about: string, item: Schema<T>, most = someMax): Schema<T[]> {
  const any = list(about, item)
  return {
    ...any,
    each: item,
    json: { ...any.json, maxItems: most },
    check(value, path, limits) {
      const count = Array.isArray(value) ? value.length : 0
      if (count <= most) return any.check(value, path, limits)
      const message = `${path} has ${count} items; the maximum is ${most}.`
      return refuse('invalid_input', message, 'Give fewer at a time.', { path })
    },
  }
}

/** The same whose items differ. */
export function distinct<T>(about: string, item: Schema<T>, most: number): Schema<T[]> {
  const any = some(about, item, most)
  return {
    ...any,
    json: { ...any.json, uniqueItems: true },
    check(value, path, limits) {
      if (Array.isArray(value) && value.length <= most && new Set(value).size < value.length) {
        return refuse('invalid_input', `${path} has an item twice.`, 'Name each once.', { path })
      }
      return any.check(value, path, limits)
    },
  }
}
