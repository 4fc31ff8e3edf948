import { flag, integer, optional, text } from '../../../domain/log/input-schema.ts'
import type { Flag } from '../registry/flag.ts'
import type { OwnCommand } from '../registry/own-command.ts'
import { sessionFlag } from '../registry/session-flag.ts'

const detach: Flag = {
  name: 'detach',
  short: 'd',
  schema: flag('Return at once; a server runs the agents in the background.'),
}

const onlyAgent: Flag = { name: 'agent', schema: optional(text('Only this agent, by its id in the workflow.')) }

const aWorkflow = { shown: '[ID]', max: 1 }

export const run: OwnCommand = {
  word: 'run',
  places: { shown: 'FILE', max: 1 },
  summary: 'Run a workflow: its agents start in order, and you see how they do. Ctrl-C interrupts them.',
  flags: [
    detach,
    {
      name: 'max-parallel',
      schema: optional(integer('How many agents run at a time, instead of what the file says.', { min: 1 })),
    },
    { name: 'name', schema: optional(text('A name for the session.')) },
    { name: 'schema', schema: flag('Print the JSON Schema of workflow files, and run nothing.') },
    {
      name: 'request-id',
      schema: optional(text('Makes retries safe: a repeat with the same id goes on with what the first has started.')),
    },
  ],
  topic: 'Run agents',
  examples: ['cairn run night.yaml', 'cairn run night.yaml -d --name night'],
  run: async (called) => (await import('./run-command.ts')).runRun(called),
}

export const resume: OwnCommand = {
  word: 'resume',
  places: aWorkflow,
  summary: 'Let go on what was paused or interrupted, or all of it; what has completed is not repeated.',
  flags: [
    sessionFlag,
    onlyAgent,
    { name: 'phase', schema: optional(text('Only this phase, by its name or number.')) },
    { name: 'dry-run', schema: flag('Show what would go on, and change nothing.') },
    detach,
  ],
  topic: 'Run agents',
  examples: ['cairn resume', 'cairn resume 3f9a1c0b --agent fix'],
  run: async (called) => (await import('./resume-command.ts')).runResume(called),
}

export const watch: OwnCommand = {
  word: 'watch',
  places: aWorkflow,
  summary: 'Watch a workflow until it has ended.',
  flags: [sessionFlag],
  topic: 'Run agents',
  run: async (called) => (await import('./watch-command.ts')).runWatch(called),
}

export const logs: OwnCommand = {
  word: 'logs',
  places: aWorkflow,
  summary: 'Show what agents have put out.',
  flags: [
    sessionFlag,
    onlyAgent,
    { name: 'follow', short: 'f', schema: flag('Go on showing what is put out, until all have ended.') },
    { name: 'all', short: 'a', schema: flag('All attempts of each agent, not only the last.') },
  ],
  topic: 'Run agents',
  examples: ['cairn logs', 'cairn logs 3f9a1c0b -f --agent fix'],
  run: async (called) => (await import('./logs-command.ts')).runLogs(called),
}

export const attach: OwnCommand = {
  word: 'attach',
  places: aWorkflow,
  summary: 'Follow what one agent puts out; nothing that you type reaches it.',
  flags: [sessionFlag, onlyAgent],
  run: async (called) => (await import('./logs-command.ts')).runAttach(called),
}
