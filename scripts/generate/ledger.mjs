// The ledger of requirements: docs/requirements.md names every point and the tests that show it.
// The first two columns are written by hand, the third is filled from the titles of the tests (`it('S0-66 …')`)
// and from docs/superseded.md.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const ledgerFile = 'docs/requirements.md'
const supersededFile = 'docs/superseded.md'
const idPattern = /\b(?:S[0-4]-\d+|[CU]\d{1,2})\b/g

/** @typedef {{ file: string, title: string, ids: string[] }} Shown */

/** The cells of each row whose first cell is an id. @param {string} text @returns {string[][]} */
function rowsOf(text) {
  return text
    .split('\n')
    .filter((line) => /^\| (?:S[0-4]-\d+|[CU]\d{1,2}) \|/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )
}

/** `it`, `test` or `describe`, also as `it.each(…)` or `it.skipIf(…)`; not `it.skip` and `it.todo`. */
function isTitled(/** @type {ts.Expression} */ callee) {
  const text = callee.getText()
  return /^(?:it|test|describe)\b/.test(text) && !/^\w+\.(?:skip|todo)$/.test(text)
}

/** @param {ts.Expression | undefined} node */
function titleOf(node) {
  if (!node) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')
}

/** @param {string} file @returns {Shown[]} */
function titlesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  /** @type {Shown[]} */
  const found = []
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isCallExpression(node) && isTitled(node.expression)) {
      const title = titleOf(node.arguments[0])
      const ids = title?.match(idPattern)
      if (title && ids) found.push({ file: file.replaceAll('\\', '/'), title, ids: [...new Set(ids)] })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** @returns {Shown[]} */
function allTitles() {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => titlesIn(join('test', name)))
}

/** What docs/requirements.md should hold, given the tests as they are. */
export function ledgerText() {
  const before = readFileSync(ledgerFile, 'utf8')
  const rows = rowsOf(before)
  const known = new Set(rows.map(([id]) => id))
  const superseded = new Map(rowsOf(readFileSync(supersededFile, 'utf8')).map(([id, by, why]) => [id, `${by}: ${why}`]))
  /** @type {Map<string, string[]>} */
  const shown = new Map()
  for (const { file, title, ids } of allTitles()) {
    for (const id of ids) {
      if (!known.has(id)) throw new Error(`${file}: "${title}" names ${id}, which docs/requirements.md does not have`)
      shown.set(id, [...(shown.get(id) ?? []), `${file}: ${title.replaceAll('|', '\\|').replaceAll('\n', ' ')}`])
    }
  }
  const table = rows.map(([id = '', point = '']) => {
    const entries = [...(shown.get(id) ?? [])]
    const decision = superseded.get(id)
    if (decision) entries.push(decision.startsWith('non-goal') ? decision : `superseded by ${decision}`)
    return `| ${id} | ${point} |${entries.length > 0 ? ` ${entries.join('<br>')} ` : ' '}|`
  })
  const open = rows.filter(([id = '']) => !shown.has(id) && !superseded.has(id)).length
  const counts = `${rows.length} points: ${shown.size} shown by tests, ${superseded.size} superseded, ${open} open.`
  const introduction = before.slice(0, before.search(/^\d+ points:/m))
  return `${introduction}${counts}\n\n| id | point | shown by |\n|---|---|---|\n${table.join('\n')}\n`
}
