// The project's own files as the tidiness tests see them: text, imports and sizes.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

export interface Import {
  readonly from: string
  readonly line: number
}

export interface SourceFile {
  readonly path: string
  readonly lines: readonly string[]
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

/** Files of the working copy that are or would be committed. */
export function committedFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...new Set(list.split('\0'))].filter((path) => path !== '' && existsSync(path)).sort()
}

export function sourceFile(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return { path, lines: text.replace(/\n$/, '').split('\n'), tree, imports: importsOf(tree) }
}

function importsOf(tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (node: ts.Node | undefined) => {
    if (node && ts.isStringLiteralLike(node)) found.push({ from: node.text, line: lineOf(tree, node.getStart()) })
  }
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0])
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The path of an imported file of the project; nothing for packages and Node's own modules. */
export function targetOf(file: SourceFile, { from }: Import): string | undefined {
  return from.startsWith('.') ? join(dirname(file.path), from) : undefined
}

export function lineOf(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1
}

export interface FunctionSize {
  readonly name: string
  readonly line: number
  readonly lines: number
}

/** Every function with its length, not counting the tables inside it. */
export function functionSizes({ tree }: SourceFile): FunctionSize[] {
  const sizes: FunctionSize[] = []
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const name = ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : (node.name?.getText() ?? '')
      const lines = linesOf(tree, node) - tableLines(tree, node)
      sizes.push({ name: name || 'a function without a name', line: lineOf(tree, node.getStart()), lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return sizes
}

/** The length of a file, not counting its tables and its types. */
export function codeLines({ tree, lines }: SourceFile): number {
  const types = tree.statements.filter((node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node))
  const typeLines = types.reduce((sum, node) => sum + linesOf(tree, node), 0)
  return lines.length - typeLines - tableLines(tree, tree)
}

function linesOf(tree: ts.SourceFile, node: ts.Node): number {
  return lineOf(tree, node.end) - lineOf(tree, node.getStart()) + 1
}

/** Lines of the literals below a node which hold data only: objects, lists and texts without any function in them. */
function tableLines(tree: ts.SourceFile, node: ts.Node): number {
  let lines = 0
  ts.forEachChild(node, (child) => {
    const literal =
      ts.isObjectLiteralExpression(child) ||
      ts.isArrayLiteralExpression(child) ||
      ts.isNoSubstitutionTemplateLiteral(child)
    lines += literal && !holdsFunction(child) ? linesOf(tree, child) - 1 : tableLines(tree, child)
  })
  return lines
}

function holdsFunction(node: ts.Node): boolean {
  return (ts.isFunctionLike(node) && 'body' in node) || (ts.forEachChild(node, holdsFunction) ?? false)
}
