// Faults in the write path, in the feed and in waits.
import type { Mutant } from './mutant.ts'

const reading = ['test/together/while-reading.test.ts']
const counting = ['test/together/wait-count.test.ts']
const feed = 'src/journal/feed.ts'
const waits = 'src/journal/waits.ts'

export const ofLog: readonly Mutant[] = [
  {
    name: 'overlay: answers about the past are kept beyond their group',
    file: 'src/journal/overlay.ts',
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
]
