import { flag, integer, oneOf, optional, text } from '../../domain/log/input-schema.ts'
import type { Flag } from './flags.ts'
import { clients } from './mcp/clients.ts'

/** A command that is no operation. */
export interface OwnCommand {
  readonly word: string
  /** What may stand after it, as its usage shows it. */
  readonly places?: string
  readonly summary: string
  readonly flags: readonly Flag[]
}

const serving: readonly Flag[] = [
  { name: 'host', schema: optional(text('The address to listen on; default 127.0.0.1.')) },
  {
    name: 'port',
    schema: optional(integer('The port, 0 for any free one; default 4747.', { min: 0, max: 65_535 })),
  },
  { name: 'log', schema: flag('Log every request, as a line of JSON on stderr; errors are always logged.') },
  { name: 'allow-remote', schema: flag('Allow other machines to connect; needs a certificate or a proxy.') },
  { name: 'tls-cert', schema: optional(text('Certificate file, in PEM format.')) },
  { name: 'tls-key', schema: optional(text('Key file of the certificate.')) },
  { name: 'proxy', schema: optional(text('Host name of a reverse proxy in front of the server.')) },
]

const mcp: readonly Flag[] = [
  { name: 'profile', schema: optional(oneOf('Which tools; default agent.', ['agent', 'orchestrator'])) },
  { name: 'all-roots', schema: flag('Allow access to all roots, not only its own.') },
  {
    name: 'client',
    schema: optional(oneOf('config: for which program; default json.', clients)),
  },
  { name: 'transport', schema: optional(oneOf('config: the transport; default stdio.', ['stdio', 'http'])) },
  { name: 'fill', schema: flag('config: with values from the environment instead of placeholders.') },
  { name: 'show-token', schema: flag("config: with the owner's token instead of a placeholder.") },
]

const setup: readonly Flag[] = [
  {
    name: 'scope',
    schema: optional(
      oneOf('For this project, or for all projects of this user; default project, for codex user.', [
        'project',
        'user',
      ]),
    ),
  },
  { name: 'dry-run', schema: flag('Show what would change, and change nothing.') },
  { name: 'remove', schema: flag('Remove what setup has written.') },
  { name: 'yes', schema: flag('Write without asking.') },
  { name: 'no-check', schema: flag('Do not start the server to test the configuration.') },
]

const agent: readonly Flag[] = [
  {
    name: 'session',
    member: 'session',
    schema: optional(text('The session that the agent is made below; default the one of this folder.')),
  },
  {
    name: 'provider',
    schema: optional(oneOf('Which protocol; default by the keys that are set.', ['anthropic', 'openai'])),
  },
  { name: 'model', schema: optional(text('The model; default ANTHROPIC_MODEL or OPENAI_MODEL.')) },
  {
    name: 'base-url',
    schema: optional(text('The endpoint; default ANTHROPIC_BASE_URL or OPENAI_BASE_URL, else that of the provider.')),
  },
  { name: 'system', schema: optional(text('The system prompt, as text or @FILE.')) },
  { name: 'max-turns', schema: optional(integer('Maximum number of answers in one run; default 50.', { min: 1 })) },
  { name: 'max-tokens', schema: optional(integer('Maximum number of tokens in one answer.', { min: 1 })) },
  {
    name: 'mcp',
    schema: optional(
      text('A JSON file with mcpServers whose tools the agent gets; one of a repository must be trusted.'),
    ),
  },
  { name: 'resume', schema: optional(text('Go on with the conversation of this session.')) },
  { name: 'copy', schema: optional(text('Copy this session and go on with the copy.')) },
  { name: 'to-point', schema: optional(integer('copy: up to this version of the conversation.')) },
  { name: 'overwrite', schema: optional(text('Go on with the conversation of this session from a point.')) },
  { name: 'from-point', schema: optional(integer('overwrite: the last version that stays visible.')) },
]

const blob: readonly Flag[] = [
  {
    name: 'session',
    member: 'session',
    schema: optional(text('The session: its id, slug or name, or the start or end of its id.')),
  },
  { name: 'output', schema: optional(text('get: the file to write, also -o; default standard output.')) },
]

const sessionFlag: Flag = {
  name: 'session',
  member: 'session',
  schema: optional(text('The session: its id, slug or name, or the start or end of its id.')),
}

const run: readonly Flag[] = [
  { name: 'detach', short: 'd', schema: flag('Return at once; a server runs the agents in the background.') },
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
]

const logs: readonly Flag[] = [
  sessionFlag,
  { name: 'agent', schema: optional(text('Only this agent, by its id in the workflow.')) },
  { name: 'follow', short: 'f', schema: flag('Go on showing what is put out, until all have ended.') },
  { name: 'all', short: 'a', schema: flag('All attempts of each agent, not only the last.') },
]

export const ownCommands: readonly OwnCommand[] = [
  {
    word: 'setup',
    places: 'PROGRAM',
    summary: `Set up an agent program for this project, and test it: ${clients.join(', ')}.`,
    flags: setup,
  },
  { word: 'serve', summary: 'Serve the store over HTTP until it is stopped.', flags: serving },
  {
    word: 'up',
    summary: 'Start a server in the background, or show where it runs, with a new login link.',
    flags: serving,
  },
  {
    word: 'ui',
    summary: 'Open the dashboard in a browser, and start a server for it where none runs.',
    flags: [...serving, { name: 'print', schema: flag('Only print the link.') }],
  },
  { word: 'down', summary: 'Stop the server that runs in the background.', flags: [] },
  {
    word: 'mcp',
    places: '[config]',
    summary: 'Serve MCP to an agent on stdin and stdout, or print its configuration.',
    flags: mcp,
  },
  {
    word: 'agent',
    places: '[PROMPT]',
    summary: 'Run an agent on a model, with the tools of Cairn; each step is recorded, and can be resumed.',
    flags: agent,
  },
  {
    word: 'blob',
    places: 'put|get|ls [ARG]',
    summary: 'Store a blob (`put FILE`, `-` for stdin), read one (`get HASH`), or list them (`ls`).',
    flags: blob,
  },
  {
    word: 'run',
    places: 'FILE',
    summary: 'Run a workflow: its agents start in order, and you see how they do. Ctrl-C interrupts them.',
    flags: run,
  },
  {
    word: 'resume',
    places: '[ID]',
    summary: 'Let go on what was paused or interrupted, or all of it; what has completed is not repeated.',
    flags: [
      sessionFlag,
      { name: 'agent', schema: optional(text('Only this agent, by its id in the workflow.')) },
      { name: 'phase', schema: optional(text('Only this phase, by its name or number.')) },
      { name: 'dry-run', schema: flag('Show what would go on, and change nothing.') },
      { name: 'detach', short: 'd', schema: flag('Return at once; a server runs the agents in the background.') },
    ],
  },
  {
    word: 'watch',
    places: '[ID]',
    summary: 'Watch a workflow until it has ended.',
    flags: [sessionFlag],
  },
  {
    word: 'logs',
    places: '[ID]',
    summary: 'Show what agents have put out.',
    flags: logs,
  },
  {
    word: 'attach',
    places: '[ID]',
    summary: 'Follow what one agent puts out; nothing that you type reaches it.',
    flags: logs.slice(0, 2),
  },
  {
    word: 'init',
    summary: 'Keep a session folder in agents/sessions/ for each piece of work of this project, and tell its agents.',
    flags: [
      { name: 'yes', schema: flag('Write the instructions for agents without asking.') },
      { name: 'dry-run', schema: flag('Show what would change, and change nothing.') },
    ],
  },
  {
    word: 'onboard',
    places: '[DIR]…',
    summary: 'Take in the session folders of projects, with all of their history, such as after a clone.',
    flags: [],
  },
  {
    word: 'trust',
    places: '[DIR]',
    summary: 'Allow the files of a repository that name commands to run, as they are now; they are shown first.',
    flags: [{ name: 'yes', schema: flag('Trust them without asking.') }],
  },
  {
    word: 'demo',
    summary: 'See a workflow of local programs run: they race, one is paused, one crashes, the server is killed.',
    flags: [],
  },
  {
    word: 'tour',
    summary: 'See Cairn work in a temporary folder: real processes race, one is killed, nothing is lost.',
    flags: [],
  },
  {
    word: 'completion',
    places: 'SHELL',
    summary: 'Print the completion script for bash, zsh or fish.',
    flags: [],
  },
  { word: 'version', summary: 'Show the version of the program; also -v, -V and --version.', flags: [] },
  {
    word: 'help',
    places: '[COMMAND]',
    summary: 'Show the commands by topic, or one with its flags and examples.',
    flags: [{ name: 'all', short: 'a', schema: flag('List every command.') }],
  },
]

export const ownWords: readonly string[] = ownCommands.map(({ word }) => word)

export function ownCommand(word: string | undefined): OwnCommand | undefined {
  return ownCommands.find((command) => command.word === word)
}
