import type { Json, JsonObject } from '../../../../json/value.ts'

/** A key or a dotted key, quoted where it must be. */
export function keyText(...keys: readonly string[]): string {
  return keys.map((key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key))).join('.')
}

/** A value on one line. TOML has no null, and no entry of ours has one. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return stringText(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([key, inner]) => `${keyText(key)} = ${valueText(inner)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** A table with its header. */
export function tableText(path: readonly string[], table: JsonObject, newline: string): string {
  const lines = Object.entries(table).map(([key, value]) => `${keyText(key)} = ${valueText(value)}`)
  return [`[${keyText(...path)}]`, ...lines, ''].join(newline)
}

/** A text in quotes means the same in JSON and in TOML, but for one control character. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
