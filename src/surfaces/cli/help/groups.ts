import type { Entry } from './parts.ts'

/** Commands by topic: those that people use most. `cairn help --all` lists every one. */
export const groups: readonly { readonly title: string; readonly commands: readonly string[] }[] = [
  { title: 'Start', commands: ['setup', 'tour', 'demo', 'session create', 'use'] },
  { title: 'Look', commands: ['ls', 'tree', 'state get', 'state history', 'why', 'log', 'diff'] },
  {
    title: 'Change the state',
    commands: ['state set', 'state increment', 'state append', 'state merge', 'state delete', 'state batch'],
  },
  { title: 'Work together', commands: ['state wait', 'state watch', 'state claim', 'lease ls'] },
  {
    title: 'Plan',
    commands: ['plan', 'phase', 'task add', 'task ready', 'task claim', 'task done', 'checkpoint complete'],
  },
  {
    title: 'Keep the journal',
    commands: ['brief', 'journal', 'position', 'next', 'decide', 'block', 'unblock', 'note', 'needs', 'sitting start'],
  },
  { title: 'Conversations', commands: ['agent', 'context append', 'context show', 'copy', 'overwrite'] },
  { title: 'Run agents', commands: ['run', 'watch', 'status', 'logs', 'pause', 'resume', 'retry', 'approve', 'needs'] },
  { title: 'Go back', commands: ['state restore', 'fork', 'session end'] },
  { title: 'Serve', commands: ['up', 'ui', 'down', 'mcp', 'token create', 'token ls'] },
  { title: 'Maintain the store', commands: ['doctor', 'backup', 'restore', 'gc', 'rm'] },
]

/** What to do first, as it is typed; short enough for a line each on a narrow screen. */
export const firstSteps: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: 'First steps',
    entries: [
      ['cairn tour', 'see it work in a temporary folder'],
      ['cairn setup claude', 'connect Claude Code here; or codex, vscode, cursor'],
      ['cairn session create "TOPIC"', 'start a piece of work in this folder'],
      ['cairn ui', 'open the dashboard in a browser'],
    ],
  },
  {
    title: 'Then',
    entries: [
      ['cairn ls', 'open work'],
      ['cairn state set KEY VALUE', 'write state that all its agents share'],
      ['cairn state get', 'read it'],
      ['cairn log -f', 'what happens, and who does it'],
      ['cairn why KEY', 'why a value is what it is'],
    ],
  },
  {
    title: 'Help',
    entries: [
      ['cairn help', 'commands by topic'],
      ['cairn help COMMAND', 'one command with its flags and examples'],
      ['cairn help --all', 'every command'],
    ],
  },
]
