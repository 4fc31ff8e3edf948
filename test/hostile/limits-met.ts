// For every limit: what one is told who meets it, and the test that does. docs/limits.md is written from it.
import type { Limits } from '../../src/domain/log/limits.ts'
import type { RefusalCode } from '../../src/domain/log/refusal.ts'

export interface Met {
  /** What the refusal is called; a connection that is cut off is told nothing. */
  readonly code: RefusalCode | 'cut off'
  /** As the sources have it; … stands for what is known only then. */
  readonly message: string
  readonly test: string
}

export const limitsMet: { readonly [Name in keyof Limits]: Met } = {
  keyBytes: {
    code: 'invalid_input',
    message: 'The key … has … bytes; the limit keyBytes is ….',
    test: 'test/conformance/limits.test.ts',
  },
  depth: {
    code: 'too_deep',
    message: '… is nested deeper than … levels (limit: depth …).',
    test: 'test/conformance/limits.test.ts',
  },
  valueBytes: {
    code: 'value_too_large',
    message: 'The value of … would have … bytes; the limit valueBytes is ….',
    test: 'test/conformance/limits.test.ts',
  },
  keys: {
    code: 'too_many_keys',
    message: 'This root has … keys; the limit keys is ….',
    test: 'test/conformance/limits.test.ts',
  },
  stateBytes: {
    code: 'value_too_large',
    message: 'The state of this root would have … bytes; the limit stateBytes is ….',
    test: 'test/conformance/limits.test.ts',
  },
  batch: {
    code: 'invalid_input',
    message: 'This batch has … operations; the limit batch is ….',
    test: 'test/conformance/limits.test.ts',
  },
  batchBytes: {
    code: 'invalid_input',
    message: 'This batch reads and writes … bytes up to this operation; the limit batchBytes is ….',
    test: 'test/hostile/batches.test.ts',
  },
  treeDepth: {
    code: 'invalid_input',
    message: 'The tree of sessions would be deeper than the limit treeDepth of ….',
    test: 'test/conformance/limits.test.ts',
  },
  sessions: {
    code: 'invalid_input',
    message: 'This root has as many sessions as the limit sessions of … allows.',
    test: 'test/conformance/limits.test.ts',
  },
  agents: {
    code: 'invalid_input',
    message: 'This adds … agents; the limit … is ….',
    test: 'test/workflow/create.test.ts',
  },
  journalEntries: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/journal/bad-input.test.ts',
  },
  entryChars: {
    code: 'invalid_input',
    message: 'The text has … characters; the limit entryChars is ….',
    test: 'test/plan/limits.test.ts',
  },
  phases: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/plan/limits.test.ts',
  },
  plans: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/plan/limits.test.ts',
  },
  tasks: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/plan/limits.test.ts',
  },
  taskEdges: {
    code: 'invalid_input',
    message: '… …; the limit taskEdges is ….',
    test: 'test/plan/bad-input.test.ts',
  },
  taskStaleMs: {
    code: 'held_by_other',
    message: '… is claimed by ….',
    test: 'test/plan/stale.test.ts',
  },
  buildCheckpoints: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/plan/limits.test.ts',
  },
  commits: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/plan/limits.test.ts',
  },
  artifacts: {
    code: 'invalid_input',
    message: 'There are already … …; the limit … is ….',
    test: 'test/plan/limits.test.ts',
  },
  waits: {
    code: 'rate_limited',
    message: '… requests are already waiting on this root; the limit waits is ….',
    test: 'test/together/wait-count.test.ts',
  },
  tokenRequests: {
    code: 'rate_limited',
    message: 'This token already has … … open; the limit … is ….',
    test: 'test/hostile/shares.test.ts',
  },
  tokenWaits: {
    code: 'rate_limited',
    message: 'This token already has … waits open; the limit tokenWaits is ….',
    test: 'test/hostile/shares.test.ts',
  },
  tokenFeeds: {
    code: 'rate_limited',
    message: 'This token already has … … open; the limit … is ….',
    test: 'test/hostile/shares.test.ts',
  },
  subscriptions: {
    code: 'rate_limited',
    message: 'This client already follows … resources; the limit subscriptions is ….',
    test: 'test/hostile/shares.test.ts',
  },
  rootDiskBytes: {
    code: 'root_full',
    message: 'The root is full: it uses … of … bytes on disk (limit rootDiskBytes), and this adds ….',
    test: 'test/hostile/root-disk.test.ts',
  },
  blobBytes: {
    code: 'payload_too_large',
    message: 'The blob has more than … bytes, the limit blobBytes.',
    test: 'test/blobs/blobs.test.ts',
  },
  runOutputBytes: {
    code: 'cut off',
    message: '[… … bytes cut]',
    test: 'test/runner/output.test.ts',
  },
  runnerLeaseMs: {
    code: 'fenced',
    message: 'The lease … was taken over: its epoch is …, but this token has epoch ….',
    test: 'test/runner/night.test.ts',
  },
  stopGraceMs: {
    code: 'cut off',
    message: 'It was ended by ….',
    test: 'test/runner/recovery.test.ts',
  },
  restartMs: {
    code: 'cut off',
    message: 'The next start is in … s.',
    test: 'test/keeper/deaths.test.ts',
  },
  requestBytes: {
    code: 'payload_too_large',
    message: 'The body has more than … bytes, the limit requestBytes.',
    test: 'test/cli/bad-input.test.ts',
  },
  requestValues: {
    code: 'payload_too_large',
    message: 'The body has more than … values, nested ones counted, the limit requestValues.',
    test: 'test/hostile/stalls.test.ts',
  },
  unreadMs: { code: 'cut off', message: '–', test: 'test/hostile/unread.test.ts' },
  memoryBytes: { code: 'busy', message: 'The server is short of memory.', test: 'test/hostile/overload.test.ts' },
  lagMs: { code: 'busy', message: 'The server is behind with its work.', test: 'test/hostile/overload.test.ts' },
  diskFreeBytes: {
    code: 'busy',
    message: 'The disk of the data folder is nearly full: only reads are allowed.',
    test: 'test/hostile/overload.test.ts',
  },
  descriptorsFree: {
    code: 'busy',
    message: 'The server is short of file descriptors.',
    test: 'test/hostile/overload.test.ts',
  },
}
