import { type JsonSchema, type Schema, text } from '../../log/input-schema.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { hasControls } from '../../log/text/plain-text.ts'
import { checkName } from '../../sessions/members.ts'
import { parseCondition } from '../condition/parse.ts'

/** What the members of a workflow are made of, besides what all inputs are. */

/** Ids stand in `{{outputs.ID}}`, in tables and in shells. */
export const agentId = text('The id of the agent, unique in the workflow.', { max: 128, check: checkId })

function checkId(id: string): Refusal | undefined {
  const unfit = checkName(id)
  if (unfit !== undefined || /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u.test(id)) return unfit
  const message = `${JSON.stringify(id.slice(0, 60))} is not a valid id.`
  return refuse('invalid_input', message, 'Use letters, digits and . _ -, beginning with a letter or digit.')
}

/** A word or two that stand in tables and terminals. */
export function label(about: string): Schema<string> {
  return text(about, { max: 128, check: checkLabel })
}

function checkLabel(value: string): Refusal | undefined {
  if (value.trim() === value && !hasControls(value)) return undefined
  const message = `${JSON.stringify(value.slice(0, 60))} has control characters, or spaces at its ends.`
  return refuse('invalid_input', message, 'Use visible characters only.')
}

export function checkCondition(value: string): Refusal | undefined {
  const parsed = parseCondition(value)
  return parsed instanceof Refusal ? parsed : undefined
}

/** A directory of the project: a path of one machine stands in no event, and none leads out of the project. */
export function relativePath(about: string): Schema<string> {
  return text(about, { max: 1024, check: checkRelative })
}

function checkRelative(path: string): Refusal | undefined {
  const isRelative = !/^([/\\~]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..')
  if (isRelative && !hasControls(path)) return undefined
  const message = `${JSON.stringify(path.slice(0, 60))} is not a folder of the project.`
  return refuse('invalid_input', message, 'Write it relative to the project and without .., such as packages/parser.')
}

/** A number with a fraction, above `above` or from `least` on. */
export function amount(about: string, { above, least, most }: { above?: number; least?: number; most: number }) {
  const wanted = above === undefined ? `a number from ${least} to ${most}` : `a number above ${above}`
  const lower: JsonSchema = above === undefined ? { minimum: least ?? 0 } : { exclusiveMinimum: above }
  const schema: Schema<number> = {
    kind: 'number',
    about,
    json: { type: 'number', ...lower, maximum: most, description: about },
    check(value, path) {
      const fits =
        typeof value === 'number' && value <= most && (above === undefined ? value >= (least ?? 0) : value > above)
      if (fits) return value
      return refuse('invalid_input', `${path} must be ${wanted}.`, `${path}: ${about}`, { path })
    },
  }
  return schema
}

/** An object whose members have names of one's own. */
export function named<T>(about: string, item: Schema<T>): Schema<Record<string, T>> {
  const name = label('A name.')
  return {
    kind: 'json',
    about,
    json: { type: 'object', additionalProperties: item.json, description: about },
    check(value, path, limits) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return refuse('invalid_input', `${path} must be an object.`, `${path}: ${about}`, { path })
      }
      const all = new Map<string, T>()
      for (const [key, given] of Object.entries(value)) {
        const fault = name.check(key, `${path}.${key.slice(0, 64)}`)
        if (fault instanceof Refusal) return fault
        const checked = item.check(given, `${path}.${key}`, limits)
        if (checked instanceof Refusal) return checked
        all.set(key, checked)
      }
      return Object.fromEntries(all)
    },
  }
}
