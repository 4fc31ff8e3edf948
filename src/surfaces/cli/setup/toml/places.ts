import type { Header, KeyValue, Statement } from './document.ts'

/** A statement with the whole path of what it defines. */
export interface Placed {
  readonly full: readonly string[]
  readonly statement: Statement
  /** The header whose section it is in. */
  readonly header: Header | undefined
  /** The inline table that it is a member of. */
  readonly within?: KeyValue
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((key, at) => path[at] === key)
}

/** Statements and the members of inline tables, in the order of the file. */
export function placedIn(statements: readonly Statement[]): Placed[] {
  const placed: Placed[] = []
  let header: Header | undefined
  for (const statement of statements) {
    if (statement.kind !== 'value') {
      header = statement
      placed.push({ full: statement.keys, statement, header })
    } else place(statement, header?.keys ?? [], undefined)
  }
  return placed

  function place(statement: KeyValue, above: readonly string[], within: KeyValue | undefined): void {
    const full = [...above, ...statement.keys]
    placed.push({ full, statement, header, ...(within === undefined ? {} : { within }) })
    for (const member of statement.value.members ?? []) place(member, full, statement)
  }
}
