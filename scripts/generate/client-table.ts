// src/client/generated/table.ts: what the client must know of each operation, from the definitions of the operations.
import { isDeepStrictEqual } from 'node:util'
import { parts } from '../../src/domain/parts.ts'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'

type Select = (input: object) => { readonly stream?: string }

function entryOf(operation: AnyOperation): string {
  const { name, kind } = operation
  const head = `{ name: '${name}', kind: '${kind}'`
  const select = 'select' in operation ? (operation.select as Select | undefined) : undefined
  return select === undefined ? `${head} }` : `${head}, stream: '${streamOf(name, select)}' }`
}

/** The client has the server select the stream, and does the rest itself: a stream that selects more needs a new client. */
function streamOf(name: string, select: Select): string {
  const wanted = { since: 7, prefix: 'a' }
  const { stream, ...rest } = select(wanted)
  if (stream === undefined || !isDeepStrictEqual(rest, wanted)) throw new Error(`${name} selects in a new way`)
  return stream
}

export function clientTableText(): string {
  const lines = Object.entries<Record<string, AnyOperation>>(operations).flatMap(([noun, verbs]) => [
    `  ${noun}: {`,
    ...Object.entries(verbs).map(([verb, operation]) => `    ${verb}: ${entryOf(operation)},`),
    '  },',
  ])
  return `// Written by \`npm run generate\` from the definitions of the operations; change those, then run it.
import type { Table } from '../interface.ts'

/** All that is known of the operations where only the client is: the definitions themselves are too big for a page. */
export const table: Table = {
${lines.join('\n')}
}

/** The types that events can have: whoever waits for another would wait for ever. */
export const eventTypes: readonly string[] = [
${[...parts.evolve.keys()].map((type) => `  '${type}',`).join('\n')}
]
`
}
