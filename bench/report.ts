import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Machine } from './machine.ts'
import type { Measured, Spread } from './measure.ts'
import type { Scenario, Target } from './scenario.ts'

export interface Result extends Measured {
  readonly name: string
  readonly about: string
  readonly against: string
  readonly unit: Scenario['unit']
  readonly target: Target
  readonly ok: boolean
}

/** A scenario that gave no figures. */
export interface Absent {
  readonly name: string
  readonly about: string
  readonly skipped: string
}

export interface Report {
  readonly date: string
  readonly commit: string
  readonly quick: boolean
  readonly machine: Machine
  readonly postgres: string | null
  readonly results: readonly (Result | Absent)[]
}

export function resultOf({ name, about, against, unit, target }: Scenario, measured: Measured): Result {
  const figure = measured[target.of].median
  const ok = target.is === 'at least' ? figure >= target.limit : figure <= target.limit
  const { ours, bare, ratio } = measured
  return { name, about, against, unit, ours: short(ours), bare: short(bare), ratio: short(ratio), target, ok }
}

/** Four digits are more than any of these figures is worth. */
function short({ median, low, high }: Spread): Spread {
  const cut = (figure: number) => Number(figure.toPrecision(4))
  return { median: cut(median), low: cut(low), high: cut(high) }
}

const header = ['scenario', 'ours', 'against', 'ratio (low–high)', 'target', '']

export function line(result: Result | Absent): string[] {
  if ('skipped' in result) return [result.name, '', '', '', '', `skipped: ${result.skipped}`]
  const { name, ours, bare, ratio, unit, target, ok } = result
  return [
    name,
    `${amount(ours.median, unit)} ±${share(ours)}`,
    `${amount(bare.median, unit)} ±${share(bare)}`,
    `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})`,
    `${target.of === 'ours' ? `${target.limit} ${unit}` : target.limit} ${target.is}`.replace(
      /^(.*) (at \w+)$/,
      '$2 $1',
    ),
    ok ? 'ok' : 'missed',
  ]
}

function amount(figure: number, unit: Scenario['unit']): string {
  if (unit === '/s') return `${Math.round(figure).toLocaleString('en').replaceAll(',', ' ')}/s`
  return `${Number(figure.toPrecision(3))} ${unit}`
}

/** Half of the way from the lowest to the highest round, as a share of the middle one. */
function share({ median, low, high }: Spread): string {
  return `${Math.round((50 * (high - low)) / median)} %`
}

const widths = [22, 18, 18, 20, 15]

export function heading(): string {
  return padded(header)
}

export function padded(cells: readonly string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(' ')
    .trimEnd()
}

/** A whole run is committed; one of some scenarios, or a quick one, is for whoever ran it. */
export function write(report: Report, whole: boolean): string {
  const path = whole ? 'bench/results/latest.json' : 'bench/results/local/latest.json'
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  if (!whole) return path
  appendFileSync(join(dirname(path), 'history.jsonl'), `${JSON.stringify(report)}\n`)
  rewriteTable(report)
  return path
}

const document = 'docs/benchmarks.md'
const marks = ['<!-- figures: written by npm run bench -->', '<!-- end of figures -->'] as const

function rewriteTable(report: Report): void {
  const text = readFileSync(document, 'utf8')
  const [start, end] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  if (start < 0 || end < start) throw new Error(`${document} has lost the marks around its figures`)
  writeFileSync(document, `${text.slice(0, start + marks[0].length)}\n${markdown(report)}\n${text.slice(end)}`)
}

function markdown({ machine, postgres, commit, date, results }: Report): string {
  const where = `${machine.cores} cores of ${machine.cpu}, Node ${machine.node}, SQLite ${machine.sqlite}`
  const rows = results.map((result) => {
    const [name, ours, bare, ...rest] = line(result)
    const about = 'skipped' in result ? result.about : `${result.about}; against ${result.against}`
    return `| \`${name}\`: ${about} | ${[ours, bare, ...rest].join(' | ')} |`
  })
  return [
    `\n${date.slice(0, 10)}, commit ${commit}, ${where}${postgres ? `, Postgres ${postgres}` : ''}.\n`,
    `| ${header.join(' | ')} |`,
    `|${header.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n')
}
