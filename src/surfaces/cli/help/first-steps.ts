import type { Entry } from './parts.ts'

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
