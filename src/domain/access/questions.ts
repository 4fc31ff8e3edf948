import type { ProjectRow, TokenRow } from './tables.ts'

/** A token with the ids of the session it is bound to and of the root of that. */
export type TokenShown = TokenRow & { session: string | null; root_id: string | null }

/** What the store can be asked about projects and tokens. */
export interface AccessQuestions {
  token_by_id: TokenShown
  tokens_meant: TokenShown
  tokens_named: Pick<TokenRow, 'id' | 'expires_at'>
  tokens_newest_first: TokenShown
  tokens_of_root: Pick<TokenRow, 'id'>
  impossible_projects: ProjectRow
}

declare module '../log/questions.ts' {
  interface Questions extends AccessQuestions {}
}
