// What a run of the tests came to: written by the reporter, joined and told by whoever started it.

/** One file of a run. */
export interface FileReport {
  /** Its path from the root of the project. */
  readonly file: string
  readonly passed: number
  readonly skipped: number
  /** Names of tests; errors outside of any test have none and are told in words. */
  readonly failures: readonly string[]
  /** Why tests were skipped. */
  readonly reasons: readonly string[]
}

export interface Report {
  readonly files: readonly FileReport[]
  /** Errors that belong to no file. */
  readonly stray: number
}

/** The last lines of a run: why tests were skipped, then `N passed, N failed, N skipped`. */
export function summaryOf({ files, stray }: Report): string[] {
  const reasons = new Map<string, number>()
  for (const reason of files.flatMap((file) => file.reasons)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const sum = (count: (file: FileReport) => number) => files.reduce((total, file) => total + count(file), 0)
  const failed = sum(({ failures }) => failures.length) + stray
  return [
    ...[...reasons].map(([reason, count]) => `skipped ${count}: ${reason}`),
    `${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`,
  ]
}

/** Whether nothing failed. */
export function isGreen({ files, stray }: Report): boolean {
  return stray === 0 && files.every(({ failures }) => failures.length === 0)
}

/** The first run with what its failed files came to when each was run again; and what is to be said of those that passed only then. */
export function joined(first: Report, again: readonly FileReport[]): { report: Report; notes: string[] } {
  const second = new Map(again.map((file) => [file.file, file]))
  const notes = first.files.flatMap(({ file, failures }) =>
    second.get(file)?.failures.length === 0
      ? failures.map((failure) => `passed only when tried again: ${file} > ${failure}`)
      : [],
  )
  const files = first.files.map((file) => {
    const other = second.get(file.file)
    return other?.failures.length === 0 ? other : file
  })
  return { report: { files, stray: first.stray }, notes }
}
