import { readPointer, valueAt } from '../pointer.ts'
import type { Check, Clause } from './clause.ts'
import type { Keyword } from './compile.ts'
import { membersIn, textIn } from './keyword-values.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** `#`, or `#/` and the way to a schema of the same document. */
function reference(clause: Clause): Check | undefined {
  const written = textIn(clause)
  if (written === undefined) return undefined
  if (!/^#(?:\/|$)/.test(written)) {
    return clause.wrong('must be # or begin with #/: other documents and anchors are not looked up')
  }
  const pointer = readPointer(decoded(written.slice(1)))
  const target = 'fault' in pointer ? undefined : valueAt(clause.compiling.document, pointer)
  if ('fault' in pointer || target === undefined) return clause.wrong('points at nothing in this schema')
  clause.compiling.applies(clause.path.slice(0, -1), pointer)
  return clause.compiling.schema(target, pointer)
}

/** A reference is an address: what an address cannot hold stands there as %20. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function definitions(clause: Clause): undefined {
  const members = membersIn(clause)
  for (const [name, schema] of Object.entries(members ?? {})) clause.part(schema, name)
}

function dialectNamed(clause: Clause): undefined {
  const written = textIn(clause)
  if (written !== undefined && written.replace(/#$/, '') !== dialect) clause.wrong(`must be ${dialect}`)
}

/** The document's own name changes nothing; a name within it would change what references mean. */
function identifier(clause: Clause): undefined {
  textIn(clause)
  if (clause.path.length > 1) clause.wrong('names a document within the document, which is not supported')
}

/** Left out without a word, these would let through what they were written to stop. */
function unsupported(clause: Clause): undefined {
  clause.wrong('is not supported')
}

export const referenceKeywords: Readonly<Record<string, Keyword>> = {
  $schema: dialectNamed,
  $id: identifier,
  $ref: reference,
  $defs: definitions,
  definitions,
  $anchor: unsupported,
  $dynamicRef: unsupported,
  $dynamicAnchor: unsupported,
  unevaluatedItems: unsupported,
  unevaluatedProperties: unsupported,
  additionalItems: unsupported,
  dependencies: unsupported,
}
