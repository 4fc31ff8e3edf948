// src/surfaces/http/openapi/answers.json: the JSON Schema of what each operation answers, from its TypeScript type.
import ts from 'typescript'

const source = 'src/operations/answers.ts'

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const program = ts.createProgram([source, 'src/sql.d.ts'], { ...options, noEmit: true })
const checker = program.getTypeChecker()

/** @param {ts.Type} type @param {string} where @returns {object} */
function schemaOf(type, where) {
  if (type.aliasSymbol?.name === 'Json' || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
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

/** What has all of these is any JSON, also where it may be left out and so has lost its name. */
const everything = [ts.TypeFlags.Null, ts.TypeFlags.String, ts.TypeFlags.Number, ts.TypeFlags.Object]

/** @param {ts.UnionType} type @param {string} where */
function unionOf(type, where) {
  const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined))
  if (parts.every((part) => part.flags & ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' }
  if (everything.every((flag) => parts.some((part) => part.flags & flag))) return {}
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
    const optional =
      property.flags & ts.SymbolFlags.Optional ||
      (of.isUnion() && of.types.some((t) => t.flags & ts.TypeFlags.Undefined))
    if (!optional) required.push(property.name)
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
  const file = /** @type {ts.SourceFile} */ (program.getSourceFile(source))
  const exported = checker.getExportsOfModule(/** @type {ts.Symbol} */ (checker.getSymbolAtLocation(file)))
  const answers = /** @type {ts.Symbol} */ (exported.find((each) => each.name === 'Answers'))
  const nouns = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(answers))
  /** @type {Record<string, object>} */
  const written = {}
  for (const noun of nouns) {
    for (const verb of checker.getPropertiesOfType(checker.getTypeOfSymbol(noun))) {
      written[`${noun.name}.${verb.name}`] = schemaOf(checker.getTypeOfSymbol(verb), `${noun.name}.${verb.name}`)
    }
  }
  return `${JSON.stringify({ answers: written, $defs: Object.fromEntries(definitions) }, null, 1)}\n`
}
