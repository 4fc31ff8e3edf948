/**
 * Folders and files whose failures always count: they look for data that is lost, doubled, foreign or secret, for what a kill or a
 * disk destroys, and for histories that no order explains. What was seen once is there.
 */
export const neverAgain: readonly string[] = [
  'test/adopt/',
  'test/agent/killed.test.ts',
  'test/client/feed-storm.test.ts',
  'test/conformance/',
  'test/conversations/model.test.ts',
  'test/conversations/planted.test.ts',
  'test/conversations/redaction.test.ts',
  'test/conversations/secret-values.test.ts',
  'test/crash/',
  'test/faults/',
  'test/folder/at-once.test.ts',
  'test/folder/mirror.test.ts',
  'test/forks/',
  'test/hostile/three-agents.test.ts',
  'test/leases/',
  'test/linear/',
  'test/model/',
  'test/postgres/combined-writes.test.ts',
  'test/postgres/conflicts.test.ts',
  'test/postgres/crowd.test.ts',
  'test/postgres/restarts.test.ts',
  'test/runner/night.test.ts',
  'test/runner/recovery.test.ts',
  'test/server/access.test.ts',
  'test/server/crash-loop.test.ts',
  'test/server/histories.test.ts',
  'test/server/model.test.ts',
  'test/server/revocation.test.ts',
  'test/server/secrets.test.ts',
  'test/server/threats.test.ts',
  'test/store/',
  'test/tokens/authority.test.ts',
  'test/tokens/secrets.test.ts',
  'test/upkeep/',
]

/** Whether a failure in that file may have been the machine's. */
export function mayBeTriedAgain(file: string, list = neverAgain): boolean {
  return !list.some((name) => file.startsWith(name))
}
