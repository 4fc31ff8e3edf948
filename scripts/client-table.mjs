// Writes src/client/table.ts: what the client must know of each operation, from the definitions of the operations.
// With --check it only says whether the file is as it would be written.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import * as esbuild from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, 'src/client/table.ts')

const bundled = await esbuild.build({
  stdin: {
    contents: `export { operations } from './src/operations/index.ts'
      export { parts } from './src/domain/parts.ts'`,
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
})
const source = Buffer.from(bundled.outputFiles[0]?.contents ?? '').toString('base64')
const { operations, parts } = await import(`data:text/javascript;base64,${source}`)

/** @typedef {{ name: string, kind: string, select?: (input: object) => { stream?: string } }} Operation */

/** @param {Operation} operation */
function entryOf({ name, kind, select }) {
  const head = `{ name: '${name}', kind: '${kind}'`
  return select === undefined ? `${head} }` : `${head}, stream: '${streamOf(name, select)}' }`
}

/** The client has the server select the stream, and does the rest itself: a stream that selects more needs a new client. */
function streamOf(/** @type {string} */ name, /** @type {NonNullable<Operation['select']>} */ select) {
  const wanted = { since: 7, prefix: 'a' }
  const { stream, ...rest } = select(wanted)
  if (stream === undefined || !isDeepStrictEqual(rest, wanted)) throw new Error(`${name} selects in a new way`)
  return stream
}

/** @type {[string, Record<string, Operation>][]} */
const nouns = Object.entries(operations)
const lines = nouns.flatMap(([noun, verbs]) => [
  `  ${noun}: {`,
  ...Object.entries(verbs).map(([verb, operation]) => `    ${verb}: ${entryOf(operation)},`),
  '  },',
])
const text = `// Written by scripts/client-table.mjs from the definitions of the operations; change those, then run it.
import type { Table } from './interface.ts'

/** All that is known of the operations where only the client is: the definitions themselves are too big for a page. */
export const table: Table = {
${lines.join('\n')}
}

/** The types that events can have: whoever waits for another would wait for ever. */
export const eventTypes: readonly string[] = [
${[...parts.evolve.keys()].map((type) => `  '${type}',`).join('\n')}
]
`
if (process.argv.includes('--check')) process.exitCode = readFileSync(target, 'utf8') === text ? 0 : 1
else writeFileSync(target, text)
