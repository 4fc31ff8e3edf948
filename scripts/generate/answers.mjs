// src/surfaces/http/openapi/answers.json: the JSON Schema of what each operation answers, from its TypeScript type.
import ts from 'typescript'
import { checker, isJson, isOptional, signatures } from './signatures.mjs'

/** @param {ts.Type} type @param {string} where @returns {object} */
function schemaOf(type, where) {
  if (isJson(type) || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
  if (type.isUnion()) return unionOf(type, where)
  if (type.flags & ts.TypeFlags.StringLiteral) return { const: /** @type {ts.StringLiteralType} */ (type).value }
  if (type.flags & ts.TypeFlags.NumberLiteral) return { const: /** @type {ts.NumberLiteralType} */ (type).value }
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
  if (type.flags & ts.TypeFlags.String) return { type: 'string' }
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const [item] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type))
    return { type: 'array', items: item === undefined ? {} : schemaOf(item, `${where}[]`) }
  }
  return objectOf(type, where)
}

/** @param {ts.UnionType} type @param {string} where */
function unionOf(type, where) {
  const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined))
  if (parts.every((part) => part.flags & ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' }
  const [only] = parts
  if (parts.length === 1 && only) return schemaOf(only, where)
  if (parts.every((part) => part.isStringLiteral())) {
    return { type: 'string', enum: parts.map((part) => /** @type {ts.StringLiteralType} */ (part).value).sort() }
  }
  const schemas = [...new Set(parts.map((part) => JSON.stringify(schemaOf(part, where))))].sort()
  return { anyOf: schemas.map((text) => JSON.parse(text)) }
}

/** Types that contain themselves, by name: they are written once and referred to. */
/** @type {Map<ts.Type, string>} */
const seen = new Map()
/** @type {Map<string, object | undefined>} */
const definitions = new Map()

/** @param {ts.Type} type @param {string} where @returns {object} */
function objectOf(type, where) {
  const name = type.aliasSymbol?.name ?? type.symbol?.name
  if (seen.has(type)) {
    definitions.set(name, undefined)
    return { $ref: `#/$defs/${name}` }
  }
  seen.set(type, name)
  /** @type {Record<string, object>} */
  const properties = {}
  /** @type {string[]} */
  const required = []
  for (const property of checker.getPropertiesOfType(type)) {
    const of = checker.getTypeOfSymbol(property)
    if (of.flags & ts.TypeFlags.Undefined) continue
    properties[property.name] = schemaOf(of, `${where}.${property.name}`)
    if (!isOptional(property)) required.push(property.name)
  }
  const index = checker.getIndexInfoOfType(type, ts.IndexKind.String)
  seen.delete(type)
  const schema = {
    type: 'object',
    properties,
    required: required.sort(),
    additionalProperties: index ? schemaOf(index.type, `${where}[key]`) : false,
  }
  if (definitions.has(name)) {
    definitions.set(name, schema)
    return { $ref: `#/$defs/${name}` }
  }
  return schema
}

export function answersText() {
  const answers = signatures('Answers').map(([name, type]) => [name, schemaOf(type, name)])
  return `${JSON.stringify({ answers: Object.fromEntries(answers), $defs: Object.fromEntries(definitions) }, null, 1)}\n`
}
