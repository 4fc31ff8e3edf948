import { table } from '../log/tables.ts'

/** What is visible of a conversation of which something was hidden, replaced or brought in. One that only grew has no row. */
export interface ConversationRow {
  root: number
  no: number
  /** Stretches of versions as JSON, in the order in which they are read; with what they are behind, where that is said elsewhere. */
  visible: string
  /** All after this version is visible too. */
  after: number
}

export const conversations = table<ConversationRow>(
  'conversations',
  ['no'],
  { root: 'integer', no: 'integer', visible: 'text', after: 'integer' },
  { past: true, long: ['visible'] },
)

/**
 * Which event of a conversation has an id that a provider gave: `m/` a message, `c/` a call of a tool, `r/` its result. An id is used
 * once, and remembered for as long as the conversation is.
 */
export interface ContextIdRow {
  root: number
  no: number
  id: string
  seq: number
  /** Of a call: that of the message which it stands in. */
  version: number
  /** How many versions it took. */
  takes: number
  /** Of what was recorded with it: the same id with the same content is a repeat. */
  digest: string
}

export const contextIds = table<ContextIdRow>(
  'context_ids',
  ['no', 'id'],
  {
    root: 'integer',
    no: 'integer',
    id: 'text',
    seq: 'integer',
    version: 'integer',
    takes: 'integer',
    digest: 'hex',
  },
  {
    appendOnly: true,
    shared: true,
    counted: ['id'],
    carried: false,
    // A later event looks at one by its id, but what it does depends on no other row.
    many: { chain: ({ no }) => String(no), startsChain: () => true },
  },
)
