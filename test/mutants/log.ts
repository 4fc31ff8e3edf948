// Faults in the write path, in the feed and in waits.
import type { Mutant } from './mutant.ts'

const reading = ['test/together/while-reading.test.ts']
const counting = ['test/together/wait-count.test.ts']
const feed = 'src/log/read/feed.ts'
const waits = 'src/log/read/waits.ts'

export const ofLog: readonly Mutant[] = [
  {
    name: 'overlay: answers about the past are kept beyond their group',
    file: 'src/log/write/overlay.ts',
    find: 'if (this.#past.size > 0) this.#past.clear()',
    replace: '',
    tests: ['test/conformance/restore-at-once.test.ts'],
  },
  {
    name: 'feed: a wake-up is lost while a root is read',
    file: feed,
    find: `        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  /** The events of all roots`,
    replace: `        sleeper.moved = false
        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  /** The events of all roots`,
    tests: reading,
  },
  {
    name: 'feed: a wake-up is lost while all roots are read',
    file: feed,
    find: `        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  close(): void {`,
    replace: `        sleeper.moved = false
        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  close(): void {`,
    tests: reading,
  },
  {
    name: 'feed: a sleeper does not look whether something moved',
    file: feed,
    find: 'if (this.moved || this.ended) return',
    replace: 'if (this.ended) return',
    tests: reading,
  },
  {
    name: 'waits: a wake-up is lost while keys are looked at',
    file: waits,
    find: '        if (sights.size > 0) await sleeper.sleep()',
    replace: `        sleeper.moved = false
        if (sights.size > 0) await sleeper.sleep()`,
    tests: reading,
  },
  {
    name: 'waits: the count is not lowered when one ends',
    file: waits,
    find: 'if (was) watched.waiting -= 1',
    replace: '',
    tests: counting,
  },
  {
    name: 'waits: the count is lowered twice for one that is given up late',
    file: waits,
    find: 'if (was) watched.waiting -= 1',
    replace: 'watched.waiting -= 1',
    tests: counting,
  },
  {
    name: 'waits: one more than the limit may wait',
    file: waits,
    find: 'watched.waiting >= this.#limits.waits',
    replace: 'watched.waiting > this.#limits.waits',
    tests: counting,
  },
  {
    name: 'overlay: rows of a refused call stay',
    file: 'src/log/write/overlay.ts',
    find: `      slot.row = row
      slot.changed = changed`,
    replace: '      slot.changed = changed',
    tests: ['test/conformance/groups.test.ts'],
  },
  {
    name: 'overlay: rows of a refused call count as changed',
    file: 'src/log/write/overlay.ts',
    find: `      slot.row = row
      slot.changed = changed`,
    replace: '      slot.row = row',
    tests: ['test/conformance/groups.test.ts'],
  },
  {
    name: 'overlay: what is loaded takes the place of what was changed',
    file: 'src/log/write/overlay.ts',
    find: `    if (slot.row !== undefined) return
`,
    replace: '',
    tests: ['test/conformance/restore-at-once.test.ts'],
  },
  {
    name: 'remembered: another request of the same id gets the answer of the first',
    file: 'src/log/write/remembered.ts',
    find: 'if (row.fingerprint === request.fingerprint) return',
    replace: 'if (row.fingerprint) return',
    tests: ['test/conformance/requests.test.ts'],
  },
  {
    name: 'remembered: a repeat in the same group is new',
    file: 'src/log/write/remembered.ts',
    find: `  add(row: RequestRow): void {
    this.#rows.set(requests.place(row), row)`,
    replace: '  add(_row: RequestRow): void {',
    tests: ['test/conformance/requests.test.ts'],
  },
  {
    name: 'remembered: long answers are kept with their values',
    file: 'src/log/write/remembered.ts',
    find: 'text.length <= answerCharsMax ? text :',
    replace: 'text.length > 0 ? text :',
    tests: ['test/conformance/requests.test.ts'],
  },
  {
    name: 'requests: a request below another root is a repeat',
    file: 'src/log/write/asked.ts',
    find: '[operation.name, place.rootId, reachOf',
    replace: '[operation.name, reachOf',
    tests: ['test/conformance/requests.test.ts'],
  },
  {
    name: 'numbers of roots: two get the same',
    file: 'src/log/write/root-numbers.ts',
    find: 'return this.#next++',
    replace: 'return this.#next',
    tests: ['test/conformance/sessions.test.ts'],
  },
  {
    name: 'numbers of roots: one more is given out than was drawn',
    file: 'src/log/write/root-numbers.ts',
    find: 'this.#left = drawnAtOnce',
    replace: 'this.#left = drawnAtOnce + 1',
    tests: ['test/postgres/combined-writes.test.ts'],
  },
  {
    name: 'index: what is in it already is put in again',
    file: 'src/log/write/index-behind.ts',
    find: `const after = filled?.upto ?? 0
`,
    replace: `const after = 0
`,
    tests: ['test/log/adopt.test.ts'],
  },
  {
    name: 'index: it says that it has one event more',
    file: 'src/log/write/index-behind.ts',
    find: '{ root, name: table.name, upto }',
    replace: '{ root, name: table.name, upto: upto + 1 }',
    tests: ['test/log/adopt.test.ts'],
  },
  {
    name: 'due times: nothing is due in its very millisecond',
    file: 'src/log/due/due-times.ts',
    find: 'first > by',
    replace: 'first >= by',
    tests: ['test/together/very-millisecond.test.ts'],
  },
  {
    name: 'due times: one batch, whatever is left',
    file: 'src/log/due/due-times.ts',
    find: 'last !== 0; recorded',
    replace: 'last === -1; recorded',
    tests: ['test/log/due.test.ts'],
  },
  {
    name: 'commits: told once and never again',
    file: 'src/log/write/commits.ts',
    find: `    this.#telling = undefined
`,
    replace: '',
    tests: ['test/log/commits.test.ts'],
  },
  {
    name: 'commits: what goes wrong later is reported to nobody',
    file: 'src/log/write/commits.ts',
    find: 'await this.#tell(moved)',
    replace: 'void this.#tell(moved)',
    tests: ['test/log/commits.test.ts'],
  },
  {
    name: 'tokens: bound to a lease that is not held',
    file: 'src/log/access/tokens.ts',
    find: 'held instanceof Refusal ? { changes: [], out: held } : { changes, out: session.id }',
    replace: '{ changes, out: session.id }',
    tests: ['test/tokens/runs.test.ts'],
  },
]
