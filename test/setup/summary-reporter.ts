// The last lines of a test run: why tests were skipped, then `N passed, N failed, N skipped`.
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  #lines: string[] = []

  onInit(): void {
    // The exit is later than everything that anybody else prints.
    process.once('exit', () => {
      for (const line of this.#lines) process.stdout.write(`${line}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    const reasons = new Map<string, number>()
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'pending') continue
        counts[state]++
        const reason = state === 'skipped' ? reasonOf(test) : undefined
        if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
      // A file that does not load, or a hook outside of any test that throws, has no failed test to count.
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    }
    this.#lines = [...reasons].map(([reason, count]) => `skipped ${count}: ${reason}`)
    this.#lines.push(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}

/** What was said when it was skipped, or what stands in parentheses at the end of its name. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return note ?? /\(([^()]+)\)\s*$/.exec(test.name)?.[1]
}
