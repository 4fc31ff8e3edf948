// Faults in who may do what in the dashboard, and in what it shows.
import type { Mutant } from './mutant.ts'

export const ofDashboard: readonly Mutant[] = [
  {
    name: 'dashboard: a login that was ended counts on',
    file: 'src/surfaces/http/access/browser-logins.ts',
    find: ' && !this.#parts.revoked.has(read.name)',
    replace: '',
    tests: ['test/tokens/authentication.test.ts'],
  },
  {
    name: 'dashboard: a login has no end',
    file: 'src/surfaces/http/access/browser-logins.ts',
    find: ' && read.until > this.#parts.today()',
    replace: '',
    tests: ['test/tokens/authentication.test.ts'],
  },
  {
    name: 'dashboard: a login may do whatever changes something',
    file: 'src/log/access/authority.ts',
    find: '  if (may === undefined) return needsToken(name)\n',
    replace: '  if (may === undefined) return undefined\n',
    tests: ['test/tokens/authentication.test.ts'],
  },
]
