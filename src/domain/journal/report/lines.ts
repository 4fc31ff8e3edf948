import { spanText } from '../../log/duration.ts'
import type { Parking, Rung } from '../../workflow/facts.ts'
import type { Share } from '../../workflow/figures.ts'
import type { Section } from '../brief/compose.ts'
import { dataName, dataText } from '../brief/data.ts'
import { minute } from '../brief/lines.ts'
import type {
  MorningReport,
  ReportCost,
  ReportDeath,
  ReportNeed,
  ReportParked,
  ReportRunning,
  ReportTakeover,
} from './report.ts'

/** What somebody wrote is shown that far: a line is read, not studied. */
const shownChars = 120

function shown(text: string): string {
  return dataText(text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`)
}

/** The time of a day alone where it is the day of the report. */
export function clock(iso: string, until: string): string {
  const text = minute(Date.parse(iso))
  return text.slice(0, 10) === until.slice(0, 10) ? text.slice(11) : text
}

function between(from: string, to: string): string {
  return spanText(Date.parse(to) - Date.parse(from))
}

/** `"Make the parser faster" (night-1d5e), since 22:00Z (9h 41m)` */
export function reportTitle({ topic, slug }: { topic: string; slug: string }, report: MorningReport): string {
  return `${shown(topic)} (${dataName(slug)}), ${reportSpan(report)}`
}

export function reportSpan({ since, until }: MorningReport): string {
  return `since ${clock(since, until)} (${between(since, until)})`
}

/** The report as rows of a page, in the order in which they are read. */
export function reportSections(report: MorningReport): Section[] {
  const { until, left_out: left } = report
  const row = (label: string, called: string, share: number, items: readonly string[], more = 0): Section => {
    return { title: label, isRow: true, called, share, items, more }
  }
  return [
    row('Done', 'done', 0.1, doneLines(report)),
    row(
      'Running',
      'running',
      0.15,
      report.running.map((each) => runningLine(each, until)),
      left.running,
    ),
    row(
      'Parked',
      'parked',
      0.15,
      report.parked.map((each) => parkedLine(each, until)),
      left.parked,
    ),
    row('Died', 'died', 0.25, diedLines(report), left.died),
    row('Cost', 'cost', 0.1, costLines(report.cost, left.runs)),
    row('Needs you', 'needs', 0.2, report.needs.map(needLine), left.needs),
  ]
}

function doneLines({ done: { agents, tasks } }: MorningReport): string[] {
  const of = ({ done, total }: Share, what: string) => (total === 0 ? [] : [`${done} of ${total} ${what}`])
  const parts = [...of(agents, 'agents'), ...of(tasks, 'tasks')]
  return parts.length === 0 ? [] : [parts.join(', ')]
}

function runningLine({ what, name, ran_ms, wrote_at }: ReportRunning, until: string): string {
  const wrote = wrote_at === null ? 'has written nothing lately' : `wrote ${between(wrote_at, until)} ago`
  return `${what === 'sitting' ? 'sitting ' : ''}${dataName(name)}, ${spanText(ran_ms)}, ${wrote}`
}

const waiting: Readonly<Record<Parking, string>> = {
  approval: 'waits for approval',
  question: 'waits for an answer',
  blocker: 'waits for a blocker to be resolved',
  rate_limit: 'waits for a rate limit',
  children: 'waits for its children',
  backoff: 'will be tried again',
  pause: 'interrupted',
  consent: 'waits for consent to go on',
}

function parkedLine({ name, status, since, waits_for: why, wake_at }: ReportParked, until: string): string {
  const what = why === null ? status : waiting[why]
  const wakes = wake_at === null ? '' : `, goes on at ${clock(wake_at, until)}`
  return `${dataName(name)}, ${what} since ${clock(since, until)}${wakes}`
}

/** Agents and servers as they died, the newest first. */
function diedLines({ died, servers, until }: MorningReport): string[] {
  const lines = [
    ...died.map((each) => ({ at: each.at, line: deathLine(each, until) })),
    ...servers.map((each) => ({ at: each.at ?? each.back_at, line: takeoverLine(each, until) })),
  ]
  return lines.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).map(({ line }) => line)
}

function deathLine(death: ReportDeath, until: string): string {
  const { what, name, at } = death
  const who = what === 'agent' ? dataName(name) : `${what} ${dataName(name)}`
  const became = becameText(death, until)
  return `${who} at ${clock(at, until)} ${howDied(death)}${became === '' ? '' : `; ${became}`}`
}

function howDied({ what, cause, exit_code: code, signal, reason }: ReportDeath): string {
  const said = reason === null ? '' : `: ${shown(reason)}`
  if (signal !== null) return `by signal ${signal}`
  if (cause === 'exit') return code === null ? `failed${said}` : `by exit ${code}`
  if (cause === 'lost' || cause === 'crash') return `${what === 'sitting' ? 'crashed' : 'was lost'}${said}`
  return `by ${causes[cause]}${said}`
}

const causes = {
  timeout: 'its time limit',
  idle: 'its silence',
  network: 'the network',
  rate_limit: 'a rate limit',
  budget: 'its budget',
  person: 'a person',
} as const

/** With what an agent that is tried again goes on. */
const goingOn: Readonly<Record<Rung, string>> = {
  adopt: 'ran on',
  resume: 'went on in its conversation',
  replay: 'was given its conversation',
  fresh: 'began from its brief',
}

function becameText({ became, at, again_at: again, rung, waits_for: why }: ReportDeath, until: string): string {
  if (became === null) return ''
  if (became === 'tried_again') {
    const after = again === null ? '' : ` after ${between(at, again)}`
    return `tried again${after}${rung === null ? '' : `, ${goingOn[rung]}`}`
  }
  if (became === 'given_up') return 'given up'
  if (became === 'cancelled') return 'cancelled'
  if (became === 'begun_anew') return 'begun anew by a person'
  return `${why === null ? 'waits' : waiting[why]}${again === null ? '' : ` at ${clock(again, until)}`}`
}

function takeoverLine({ at, how, back_at: back, kept_running: kept, lost }: ReportTakeover, until: string): string {
  const agents = (count: number) => `${count} ${count === 1 ? 'agent' : 'agents'}`
  const ran = `${agents(kept)} kept running${lost === 0 ? '' : `, ${lost} did not`}`
  if (at === null) return `supervisor lost; taken over at ${clock(back, until)}, ${ran}`
  const why = how === null ? '' : `, ${dataPhrase(how)}`
  return `server at ${clock(at, until)}${why}; back after ${between(at, back)}, ${ran}`
}

/** Plain words as they are; what could be anything else, as data. */
function dataPhrase(text: string): string {
  return /^[\w -]{1,60}$/.test(text) ? text : shown(text)
}

function costLines(cost: ReportCost, leftOut: number): string[] {
  const { input_tokens: read, output_tokens: written, usd, runs, runs_without_usd: silent } = cost
  if (runs === 0) return []
  const atLeast = leftOut === 0 ? '' : 'at least '
  const money =
    usd === null ? '' : `, $${usd.toFixed(2)}${silent === 0 ? '' : ` (${silent} of ${runs} runs did not say)`}`
  return [`${atLeast}${amount(read)} tokens in, ${amount(written)} out${money}`]
}

/** `1.2M`, `84k` or `512`. */
function amount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 1_000_000) return `${Math.floor(count / 1000)}k`
  return `${(Math.floor(count / 100_000) / 10).toFixed(1)}M`
}

/** What is asked stands beside the command that answers it, unless the command says it all. */
function needLine({ kind, command, text }: ReportNeed): string {
  return kind === 'approval' ? command : `${command} (${kind}: ${shown(text)})`
}
