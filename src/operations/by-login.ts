interface ByLogin {
  /** Only where the owner has said that values may be edited in the dashboard. */
  readonly edits?: true
  /** Members of the input that it may not give. */
  readonly without?: readonly string[]
}

/**
 * What a browser that was logged in may do, besides reading: what the dashboard offers, and no more. A browser sends its cookie to every
 * port of the machine, so it must not be enough to take the store over.
 */
export const byLogin: Readonly<Record<string, ByLogin>> = {
  'session.fork': {},
  'session.start': {},
  'session.pause': {},
  'session.resume': {},
  'session.cancel': {},
  'session.retry': {},
  'session.approve': {},
  'session.answer': {},
  'blocker.bypass': {},
  'blocker.resolve': {},
  'context.overwrite': {},
  'state.set': { edits: true },
  'state.delete': { edits: true },
  'store.doctor': { without: ['repair'] },
}
