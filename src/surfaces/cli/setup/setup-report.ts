import { printJson, printNote, printOut, safe } from '../output.ts'
import { terminalOf } from '../terminal.ts'
import type { FileChange } from './files/replace-files.ts'
import { diffText } from './line-diff.ts'
import type { ProjectSession } from './project-session.ts'
import type { Scope } from './targets.ts'

/** What setup found and did. */
export interface SetupReport {
  readonly client: string
  readonly scope: Scope
  readonly project: string
  readonly dry_run: boolean
  readonly changes: readonly FileChange[]
  readonly warnings: readonly string[]
  readonly session?: ProjectSession | undefined
  /** Whether the session is made by this run. */
  readonly is_new?: boolean
  /** What the server offered when it was tried. */
  readonly tools?: readonly string[]
  readonly removed?: boolean
}

const plain = { isTerminal: false, columns: 120, paint: (_style: unknown, text: string) => text }

function kindOf({ before, after }: FileChange): 'created' | 'changed' | 'removed' {
  if (before === undefined) return 'created'
  return after === undefined ? 'removed' : 'changed'
}

/** The changes as differences, for stdout (1) or stderr (2). */
export function changesText({ changes, is_new: isNew, project, session }: SetupReport, stream: 1 | 2): string {
  const terminal = terminalOf(stream)
  const made = isNew && session === undefined ? `A session for ${safe(project)} will be created.\n\n` : ''
  return made + changes.map(({ path, before, after }) => `${diffText(path, before, after, terminal)}\n`).join('')
}

/** Says what was done, and answers with the exit code. */
export function tell(report: SetupReport, json: boolean): number {
  if (json) printJson(document(report))
  else {
    for (const warning of report.warnings) printNote(`${terminalOf(2).paint('yellow', 'warning:')} ${safe(warning)}\n`)
    printOut(text(report))
  }
  return 0
}

function document({ changes, is_new: created, removed: _, ...report }: SetupReport) {
  const files = changes.map((change) => {
    const { path, before, after } = change
    return { path, change: kindOf(change), diff: diffText(path, before, after, plain) }
  })
  const session = report.session ? { ...report.session, created: created === true } : created ? { created: true } : null
  return { ...report, session, files }
}

function text(report: SetupReport): string {
  const { changes, dry_run: isDryRun, tools, removed } = report
  const lines = changes.map((change) => `${isDryRun ? 'would be ' : ''}${kindOf(change)}  ${safe(change.path)}`)
  if (changes.length === 0) lines.push(removed ? notThere(report) : 'Nothing to change.')
  const session = sessionLine(report)
  if (session !== undefined) lines.push(session)
  if (removed && !isDryRun && changes.length > 0) lines.push('Sessions stay; `cairn ls` lists them.')
  if (tools !== undefined) lines.push(`cairn starts and offers ${tools.length} tools: ${tools.map(safe).join(', ')}`)
  return `${isDryRun ? changesText(report, 1) : ''}${lines.join('\n')}\n`
}

function notThere({ warnings }: SetupReport): string {
  return warnings.length > 0 ? 'Nothing to remove in this scope.' : 'Cairn is not set up here. Nothing to remove.'
}

function sessionLine({ session, is_new: isNew }: SetupReport): string | undefined {
  if (session !== undefined)
    return `${isNew ? 'created' : 'uses'}  session ${safe(session.slug)} (${session.session_id.slice(-8)})`
  return undefined
}
