import type { Schema } from '../../log/input-schema.ts'
import { type Refusal, refuse } from '../../log/refusal.ts'
import type { Environment } from '../spec.ts'

const about = 'Variables of the environment: names that are passed on, and NAME: value.'
const variable = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
const pattern = variable.source
const valueCharsMax = 32_768

/** Names and values in a list, `[HOME, { NODE_ENV: test }]`, or values alone in an object. */
export const environment: Schema<Environment> = {
  kind: 'json',
  about,
  json: {
    oneOf: [{ type: 'array', items: { oneOf: [{ type: 'string', pattern }, valuesSchema()] } }, valuesSchema()],
    description: about,
  },
  check(value, path) {
    const reading: Reading = { pass: [], set: {} }
    const items = Array.isArray(value) ? value : [value]
    for (const [at, item] of items.entries()) {
      const fault = takeItem(reading, item, Array.isArray(value) ? `${path}[${at}]` : path, Array.isArray(value))
      if (fault !== undefined) return fault
    }
    const { pass, set } = reading
    return { ...(pass.length > 0 && { pass }), ...(Object.keys(set).length > 0 && { set }) }
  },
}

interface Reading {
  readonly pass: string[]
  readonly set: Record<string, string>
}

function takeItem({ pass, set }: Reading, item: unknown, path: string, mayBeName: boolean): Refusal | undefined {
  if (typeof item === 'string' && mayBeName) {
    const fault = faultOfName(item, path)
    if (fault === undefined) pass.push(item)
    return fault
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return wrong(path, mayBeName ? 'must be a name, or NAME: value' : 'must be a list of names and NAME: value')
  }
  for (const [name, value] of Object.entries(item)) {
    const fault = faultOfName(name, path) ?? faultOfValue(value, `${path}.${name}`)
    if (fault !== undefined) return fault
    set[name] = String(value)
  }
  return undefined
}

function faultOfName(name: string, path: string): Refusal | undefined {
  if (variable.test(name)) return undefined
  const shown = JSON.stringify(name.slice(0, 40))
  return wrong(path, `has ${shown}, which is not a valid name of a variable`)
}

function faultOfValue(value: unknown, path: string): Refusal | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return wrong(path, 'must be text')
  const text = String(value)
  if (text.includes('\0') || !text.isWellFormed()) return wrong(path, 'must be text without NUL and half characters')
  return text.length > valueCharsMax ? wrong(path, `has more than ${valueCharsMax} characters`) : undefined
}

function wrong(path: string, what: string): Refusal {
  return refuse('invalid_input', `${path} ${what}.`, `${path}: ${about} As in [HOME, { NODE_ENV: test }].`, { path })
}

function valuesSchema() {
  return {
    type: 'object',
    propertyNames: { pattern },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  }
}
