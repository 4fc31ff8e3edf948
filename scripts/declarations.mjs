// The published types, as two files that need no other: index.d.ts has what src/index.ts exports and all that this is made of, client.d.ts
// names what src/client/index.ts exports of that. A user's compiler so reads the interface and not the sources behind it.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const library = join(root, 'src/index.ts')
const client = join(root, 'src/client/index.ts')

/**
 * One source file as its declarations show it. `exports` and `imports` say for a name which file has it, and under which name.
 * @typedef {{ file: string, name: string }} Place
 * @typedef {{ file: string, declared: Map<string, ts.Statement[]>, imports: Map<string, Place>, exports: Map<string, Place>, all: string[] }} Module
 */

export function declarations() {
  const modules = new Modules(compiled())
  const whole = new RollUp(modules)
  const names = modules.exported(library)
  for (const place of names.values()) whole.add(place, true)
  const inClient = [...modules.exported(client).keys()].filter((name) => names.has(name)).sort()
  return {
    'index.d.ts': whole.text(),
    'client.d.ts': `export {\n${inClient.map((name) => `  ${name},\n`).join('')}} from './index.js'\n`,
  }
}

function compiled() {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const emitting = { noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true }
  return ts.createProgram([library, join(root, 'src/sql.d.ts')], {
    ...options,
    ...emitting,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
  })
}

/** The modules of a program, each made when it is first asked for: what no exported type needs is never looked at. */
class Modules {
  /** @type {Map<string, Module>} */
  #made = new Map()

  /** @param {ts.Program} program */
  constructor(program) {
    this.program = program
  }

  /** Everything that a module exports, with where it is declared. @param {string} file @returns {Map<string, Place>} */
  exported(file) {
    const { exports, all } = this.module(file)
    const found = all.flatMap((each) => [...this.exported(each)])
    return new Map([
      ...found,
      ...[...exports].map(([name, place]) => /** @type {const} */ ([name, this.origin(place)])),
    ])
  }

  /** Where something is declared that is exported from elsewhere. @param {Place} place @returns {Place} */
  origin(place) {
    const { declared, imports } = this.module(place.file)
    if (declared.has(place.name)) return place
    const from = imports.get(place.name) ?? this.exported(place.file).get(place.name)
    if (from === undefined) throw new Error(`${place.file} has no type ${place.name}`)
    return this.origin(from)
  }

  /** @param {string} file @returns {Module} */
  module(file) {
    const known = this.#made.get(file)
    if (known !== undefined) return known
    const made = moduleOf(file, this.#declarationOf(file))
    this.#made.set(file, made)
    return made
  }

  /** @param {string} file */
  #declarationOf(file) {
    const source = this.program.getSourceFile(file)
    if (source === undefined) throw new Error(`${file} is not part of the library`)
    if (source.isDeclarationFile) return source.text
    let text = ''
    const written = (/** @type {string} */ _name, /** @type {string} */ contents) => {
      text = contents
    }
    const { diagnostics } = this.program.emit(source, written, undefined, true)
    if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})))
    return text
  }
}

/** @param {string} file @param {string} text @returns {Module} */
function moduleOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  /** @type {Module} */
  const module = { file, declared: new Map(), imports: new Map(), exports: new Map(), all: [] }
  for (const statement of source.statements) read(statement, module)
  return module
}

/** @param {ts.Statement} statement @param {Module} module */
function read(statement, module) {
  if (ts.isImportDeclaration(statement)) return readImport(statement, module)
  if (ts.isExportDeclaration(statement)) return readExport(statement, module)
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  for (const name of namesOf(statement)) {
    module.declared.set(name, [...(module.declared.get(name) ?? []), statement])
    if (isExported) module.exports.set(name, { file: module.file, name })
  }
}

/** @param {ts.ImportDeclaration} statement @param {Module} module */
function readImport({ moduleSpecifier, importClause }, module) {
  const bindings = importClause?.namedBindings
  if (bindings === undefined || !ts.isNamedImports(bindings)) return
  const file = targetOf(module.file, moduleSpecifier)
  for (const { name, propertyName = name } of bindings.elements) {
    module.imports.set(name.text, { file, name: propertyName.text })
  }
}

/** @param {ts.ExportDeclaration} statement @param {Module} module */
function readExport({ moduleSpecifier, exportClause }, module) {
  const file = moduleSpecifier === undefined ? module.file : targetOf(module.file, moduleSpecifier)
  if (exportClause === undefined) module.all.push(file)
  else if (ts.isNamedExports(exportClause)) {
    for (const { name, propertyName = name } of exportClause.elements) {
      module.exports.set(name.text, { file, name: propertyName.text })
    }
  }
}

/** @param {string} from @param {ts.Expression} specifier */
function targetOf(from, specifier) {
  const { text } = /** @type {ts.StringLiteral} */ (specifier)
  return text.startsWith('.') ? join(dirname(from), text) : text
}

/** @param {ts.Statement} statement @returns {string[]} */
function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const { name } = /** @type {ts.Statement & { name?: ts.Node }} */ (statement)
  return name === undefined ? [] : [name.getText()]
}

/** Declarations one after the other in one file, each with those that it needs. */
class RollUp {
  /** By name, the file it came from: two types of one name cannot be in one file. @type {Map<string, string>} */
  #added = new Map()
  /** @type {string[]} */
  #texts = []

  /** @param {Modules} modules */
  constructor(modules) {
    this.modules = modules
  }

  /** @param {Place} place @param {boolean} exported */
  add({ file, name }, exported) {
    const before = this.#added.get(name)
    if (before !== undefined && before !== file) throw new Error(`${name} is in ${before} and in ${file}: rename one`)
    if (before !== undefined) return
    this.#added.set(name, file)
    const module = this.modules.module(file)
    const statements = module.declared.get(name) ?? []
    this.#texts.push(...statements.map((statement) => textOf(statement, exported)))
    for (const statement of statements) this.#addNeeded(statement, module)
  }

  /** @param {ts.Node} node @param {Module} module */
  #addNeeded(node, module) {
    if (ts.isImportTypeNode(node)) throw new Error(`${module.file}: the type ${node.getText()} must be written out`)
    const name = nameIn(node)
    if (name !== undefined && (module.declared.has(name) || module.imports.has(name))) {
      const place = this.modules.origin({ file: module.file, name })
      if (place.name !== name) throw new Error(`${module.file} renames ${place.name}: import it under its name`)
      this.add(place, this.#isExported(place))
    }
    ts.forEachChild(node, (child) => this.#addNeeded(child, module))
  }

  /** @param {Place} place */
  #isExported({ file, name }) {
    return this.modules.exported(library).get(name)?.file === file
  }

  text() {
    // Without an export of its own, all that is in a declaration file counts as exported.
    return `${this.#texts.join('\n\n')}\n\nexport {}\n`
  }
}

/** The name of the type that a node refers to. @param {ts.Node} node */
function nameIn(node) {
  const [entity] = ts.isTypeReferenceNode(node)
    ? [node.typeName]
    : ts.isExpressionWithTypeArguments(node) || ts.isComputedPropertyName(node)
      ? [node.expression]
      : ts.isTypeQueryNode(node)
        ? [node.exprName]
        : []
  return entity && /^[\w$]+/.exec(entity.getText())?.[0]
}

/** A declaration with its comment. @param {ts.Statement} statement @param {boolean} exported */
function textOf(statement, exported) {
  const comment = statement.getFullText().slice(0, statement.getLeadingTriviaWidth()).trim()
  const bare = statement.getText().replace(/^export /, '')
  return `${comment === '' ? '' : `${comment}\n`}${exported ? 'export ' : ''}${bare}`
}
