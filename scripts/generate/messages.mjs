// docs/messages.md: every message that a caller can be told, with its code and its hint, as the sources have them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** What is called with a message, and at which places its code, message and hint are given. */
const callees = {
  refuse: { code: 0, message: 1, hint: 2 },
  usageError: { message: 0, hint: 1 },
  impossible: { message: 0 },
}

/** The text of an expression, with … for what is known only when it is said; undefined where it is no text.
 * @param {ts.Expression | undefined} given @param {ts.Node} from @returns {string[]} */
function textsOf(given, from) {
  if (given === undefined) return []
  if (ts.isStringLiteralLike(given)) return [given.text]
  if (ts.isTemplateExpression(given)) {
    return [given.head.text + given.templateSpans.map(({ literal }) => `…${literal.text}`).join('')]
  }
  if (ts.isConditionalExpression(given)) return [...textsOf(given.whenTrue, from), ...textsOf(given.whenFalse, from)]
  if (ts.isParenthesizedExpression(given)) return textsOf(given.expression, from)
  if (ts.isBinaryExpression(given)) return [...textsOf(given.left, from), ...textsOf(given.right, from)]
  if (ts.isIdentifier(given)) return textsOf(declaredAs(given.text, from), from)
  return []
}

/** What a constant of this name stands for, in the nearest block around.
 * @param {string} name @param {ts.Node} from @returns {ts.Expression | undefined} */
function declaredAs(name, from) {
  for (let at = from.parent; at !== undefined; at = at.parent) {
    if (!ts.isBlock(at) && !ts.isSourceFile(at)) continue
    for (const statement of at.statements) {
      if (!ts.isVariableStatement(statement)) continue
      for (const { name: declared, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(declared) && declared.text === name && initializer !== from) return initializer
      }
    }
  }
  return undefined
}

/** @param {string} path @returns {{ code: string, messages: string[], hints: string[] }[]} */
function messagesIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  /** @type {{ code: string, messages: string[], hints: string[] }[]} */
  const found = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const places = callees[/** @type {keyof typeof callees} */ (node.expression.text)]
      if (places !== undefined) {
        const at = (/** @type {number | undefined} */ place) =>
          place === undefined ? [] : textsOf(node.arguments[place], node)
        const messages = at(places.message)
        if (messages.length > 0) {
          const code =
            'code' in places ? (at(places.code)[0] ?? '…') : places === callees.usageError ? 'usage' : 'invalid_input'
          found.push({ code, messages, hints: at('hint' in places ? places.hint : undefined) })
        }
      }
    }
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? sourcesIn(join(folder, entry.name)) : [join(folder, entry.name)]))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort()
}

const cell = (/** @type {string[]} */ texts) =>
  texts.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join('<br>')

export function messagesPage() {
  const sections = sourcesIn('src').flatMap((path) => {
    const found = messagesIn(path)
    if (found.length === 0) return []
    const rows = found.map(({ code, messages, hints }) => `| \`${code}\` | ${cell(messages)} | ${cell(hints)} |`)
    return [`## ${path}\n\n| code | message | hint |\n|---|---|---|\n${rows.join('\n')}\n`]
  })
  const head = `# Messages

Every refusal, by the file that says it; … stands for what is known only then. The lines of help are in [cli.md](cli.md). Written by
\`npm run generate\`: whoever changes a message reads it here among its neighbours.
`
  return `${head}\n${sections.join('\n')}`
}
