import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'

/** One anchor may stand for so many values: a file of a few lines must not become millions. */
const aliasesMax = 100

/** Where something stands in a file; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What a YAML file says, of which JSON is a part, and where each of its values stands. */
export interface YamlRead {
  readonly value: unknown
  /** The place of a value by its path, such as `agents[2].run`; of one that is not there, what it would be in. */
  placeOf(path: string): Place
}

export function readYaml(text: string, file: string): YamlRead {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' })
  const [fault] = [...document.errors, ...document.warnings]
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (fault !== undefined) throw invalid(file, at(fault.pos[0]), fault.message)
  return {
    value: plainValue(document, file),
    placeOf: (path) => at(offsetOf(document, partsOf(path))),
  }
}

function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: aliasesMax })
  } catch (error) {
    // An alias that leads nowhere, or far too many of them.
    throw invalid(file, { line: 1, column: 1 }, (error as Error).message)
  }
}

function invalid(file: string, { line, column }: Place, what: string): CairnRefusal {
  const message = `${file}:${line}:${column}: ${what.replace(/\.$/, '')}.`
  const hint = 'Write a workflow as YAML 1.2 or JSON; see docs/guides/workflows.md.'
  return new CairnRefusal(refuse('invalid_input', message, hint, { file, line, column }))
}

/** The parts of a path: `agents[2].run` is agents, 2 and run. */
function partsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, item, name]) =>
    item === undefined ? (name ?? '') : Number(item),
  )
}

/** Follows a path as far as it leads. A member begins where its name does. */
function offsetOf(document: Document, parts: readonly (string | number)[]): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const part of parts) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === part)
      if (pair === undefined || !isPair(pair)) break
      offset = startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part]
      offset = startOf(node) ?? offset
    } else break
  }
  return offset
}

function startOf(node: unknown): number | undefined {
  return (node as Node | undefined | null)?.range?.[0]
}
