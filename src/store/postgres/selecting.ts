import type { Statement } from '../statements.ts'

/** As much of a connection as is needed here. */
interface Asks {
  query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

/** What a statement selects that is not worth preparing. */
export async function selected(client: Asks, { text, parameters, bytes }: Statement): Promise<object[]> {
  return withBytes((await client.query(text, [...parameters])).rows, bytes)
}

/** The driver knows the type of a column and not which one it is: what is to be bytes came as hex digits too. */
export function withBytes(rows: Record<string, unknown>[], columns: readonly string[] = []): object[] {
  for (const row of rows) for (const column of columns) row[column] = Buffer.from(row[column] as string, 'hex')
  return rows
}
