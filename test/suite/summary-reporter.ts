// Ends what a run prints with the summary, or hands it to whoever started the run (`CAIRN_TEST_REPORT`).
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { type FileReport, type Report, summaryOf } from './report.ts'

export default class SummaryReporter implements Reporter {
  #root = ''
  #report: Report | undefined

  onInit({ config }: Vitest): void {
    this.#root = config.root
    // The exit is later than everything that anybody else prints.
    process.once('exit', () => {
      const path = process.env.CAIRN_TEST_REPORT
      if (this.#report === undefined) return
      if (path !== undefined) writeFileSync(path, JSON.stringify(this.#report))
      else for (const line of summaryOf(this.#report)) process.stdout.write(`${line}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const paths = unhandled.map(({ VITEST_TEST_PATH: path }) => path)
    const known = new Set(modules.map(({ moduleId }) => moduleId))
    const files = modules.map((module) =>
      this.#fileReport(module, paths.filter((path) => path === module.moduleId).length),
    )
    this.#report = { files, stray: paths.filter((path) => !known.has(String(path))).length }
  }

  #fileReport(module: TestModule, unhandled: number): FileReport {
    const tests = [...module.children.allTests()]
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    // A file that does not load, or a hook outside of any test that throws, has no failed test to count.
    const outside = [...module.children.allSuites()].reduce(
      (sum, suite) => sum + suite.errors().length,
      module.errors().length,
    )
    return {
      file: relative(this.#root, module.moduleId),
      passed: inState('passed').length,
      skipped: inState('skipped').length,
      failures: [
        ...inState('failed').map(({ fullName }) => fullName),
        ...Array.from({ length: outside }, () => '(outside of its tests)'),
        ...Array.from({ length: unhandled }, () => '(an error that nobody caught)'),
      ],
      reasons: inState('skipped').flatMap((test) => reasonOf(test) ?? []),
    }
  }
}

/** What was said when it was skipped, or what stands in parentheses at the end of its name. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return note ?? /\(([^()]+)\)\s*$/.exec(test.name)?.[1]
}
