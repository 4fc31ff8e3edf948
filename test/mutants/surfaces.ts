// Faults in the surfaces.
import type { Mutant } from './mutant.ts'

const unfollowed = ['test/mcp/unfollowed.test.ts']
const clients = ['test/mcp/http-sessions.test.ts']
const following = 'src/surfaces/mcp/methods/followed-resources.ts'
const sessions = 'src/surfaces/mcp/http/sessions.ts'
const feedState = ['test/http/feed-state.test.ts']

export const ofSurfaces: readonly Mutant[] = [
  {
    name: 'mcp: a change that was noted is told after unsubscribe',
    file: following,
    find: 'this.#changed.delete(uri)',
    replace: '',
    tests: unfollowed,
  },
  {
    name: 'mcp: an unsubscribed resource stays followed',
    file: following,
    find: 'root.places.delete(uri)',
    replace: '',
    tests: unfollowed,
  },
  {
    name: 'mcp: a root that nobody follows any more is kept after its end',
    file: following,
    find: `      root.ending.abort()
      this.#roots.delete(id)`,
    replace: '      root.ending.abort()',
    tests: unfollowed,
  },
  {
    name: 'mcp: changes are told after the end',
    file: following,
    find: '    clearTimeout(this.#timer)',
    replace: '',
    tests: unfollowed,
  },
  {
    name: 'mcp http: what waited is told again to the next who listens',
    file: sessions,
    find: 'this.#waiting.clear()',
    replace: '',
    tests: clients,
  },
  {
    name: 'mcp http: one who leaves takes the line of whoever came after',
    file: sessions,
    find: 'if (this.#line === line) this.#line = undefined',
    replace: 'this.#line = undefined',
    tests: clients,
  },
  {
    name: 'mcp http: of too many clients the newest goes',
    file: sessions,
    find: 'a.usedAt - b.usedAt',
    replace: 'b.usedAt - a.usedAt',
    tests: clients,
  },
  {
    name: 'mcp http: of too many clients one goes that is in use',
    file: sessions,
    find: 'own.filter(({ isInUse }) => !isInUse).sort(',
    replace: '[...own].sort(',
    tests: clients,
  },
  {
    name: 'mcp http: a client that says something still counts as silent',
    file: sessions,
    find: '    session.usedAt = this.#now()\n',
    replace: '',
    tests: clients,
  },
  {
    name: 'mcp http: one client too many',
    file: sessions,
    find: 'own.length >= ofCallerMax',
    replace: 'own.length > ofCallerMax',
    tests: clients,
  },
  {
    name: 'feed: a reader of keys is told of recent events as one who wants nothing but events',
    file: 'src/surfaces/http/feed/tail.ts',
    find: 'isWhole && !recent.every((told) => told.isWhole)',
    replace: 'isWhole && recent.length < 0',
    tests: feedState,
  },
  {
    name: 'feed: what was read of keys counts beyond its end',
    file: 'src/surfaces/http/feed/key-changes.ts',
    find: 'known.after < seq && seq <= known.upto',
    replace: 'known.after < seq',
    tests: feedState,
  },
  {
    name: 'feed: a key that was deleted is told as null in the document',
    file: 'src/surfaces/http/feed/messages.ts',
    find: "deleted: changed.filter((change) => 'deleted' in change)",
    replace: "deleted: changed.filter((change) => 'deleted' in change && change.version < 0)",
    tests: feedState,
  },
]
