// What operations take and answer, as the compiler knows it: src/operations/signatures.ts, read once for all that is made of it.
import ts from 'typescript'

const source = 'src/operations/signatures.ts'

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const program = ts.createProgram([source, 'src/sql.d.ts'], { ...options, noEmit: true })
export const checker = program.getTypeChecker()

/** The types of one kind, by `noun.verb`. @param {'Inputs' | 'Answers'} name @returns {[string, ts.Type][]} */
export function signatures(name) {
  const file = /** @type {ts.SourceFile} */ (program.getSourceFile(source))
  const exported = checker.getExportsOfModule(/** @type {ts.Symbol} */ (checker.getSymbolAtLocation(file)))
  const found = /** @type {ts.Symbol} */ (exported.find((each) => each.name === name))
  return checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(found))
    .flatMap((noun) =>
      checker
        .getPropertiesOfType(checker.getTypeOfSymbol(noun))
        .map((verb) => /** @type {[string, ts.Type]} */ ([`${noun.name}.${verb.name}`, checker.getTypeOfSymbol(verb)])),
    )
}

/** Whether a member may be left out. @param {ts.Symbol} property */
export function isOptional(property) {
  const type = checker.getTypeOfSymbol(property)
  const isUndefined = (/** @type {ts.Type} */ { flags }) => (flags & ts.TypeFlags.Undefined) !== 0
  return (property.flags & ts.SymbolFlags.Optional) !== 0 || (type.isUnion() && type.types.some(isUndefined))
}

/** What has all of these is any JSON, also where it may be left out and so has lost its name. */
const everything = [ts.TypeFlags.Null, ts.TypeFlags.String, ts.TypeFlags.Number, ts.TypeFlags.Object]

/** @param {ts.Type} type */
export function isJson(type) {
  if (type.aliasSymbol?.name === 'Json') return true
  return type.isUnion() && everything.every((flag) => type.types.some((part) => part.flags & flag))
}
