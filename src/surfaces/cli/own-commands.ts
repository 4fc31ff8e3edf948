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
  { name: 'host', schema: optional(text('The address to listen at; 127.0.0.1 unless given.')) },
  {
    name: 'port',
    schema: optional(integer('The port, 0 for any free one; 4747 unless given.', { min: 0, max: 65_535 })),
  },
  { name: 'log', schema: flag('Log every request, as a line of JSON on stderr; faults are always logged.') },
  { name: 'allow-remote', schema: flag('Other machines may reach it; needs a certificate or a proxy.') },
  { name: 'tls-cert', schema: optional(text('File of the certificate, in PEM form.')) },
  { name: 'tls-key', schema: optional(text('File of the key of the certificate.')) },
  { name: 'proxy', schema: optional(text('Name of a reverse proxy under which the server is also known.')) },
]

const mcp: readonly Flag[] = [
  { name: 'profile', schema: optional(oneOf('Which tools; agent unless given.', ['agent', 'orchestrator'])) },
  { name: 'all-roots', schema: flag('Also reach roots other than the one that it belongs to.') },
  {
    name: 'client',
    schema: optional(oneOf('config: for which program; json unless given.', clients)),
  },
  { name: 'transport', schema: optional(oneOf('config: how it is reached; stdio unless given.', ['stdio', 'http'])) },
  { name: 'fill', schema: flag('config: with what the environment says now in the place of placeholders.') },
  { name: 'show-token', schema: flag("config: with the owner's token instead of a placeholder.") },
]

const setup: readonly Flag[] = [
  {
    name: 'scope',
    schema: optional(
      oneOf('For this project, or for all projects of this user; project unless given, for codex user.', [
        'project',
        'user',
      ]),
    ),
  },
  { name: 'dry-run', schema: flag('Show what would change, and change nothing.') },
  { name: 'remove', schema: flag('Take back what setup has written.') },
  { name: 'yes', schema: flag('Write without asking.') },
  { name: 'no-check', schema: flag('Do not start the server to try what was written.') },
]

const blob: readonly Flag[] = [
  {
    name: 'session',
    member: 'session',
    schema: optional(text('The session meant: id, slug, name, or the start or end of an id.')),
  },
  { name: 'output', schema: optional(text('get: the file to write, also -o; standard output unless given.')) },
]

export const ownCommands: readonly OwnCommand[] = [
  {
    word: 'setup',
    places: 'PROGRAM',
    summary: `Set up a program of agents for this project, and try it: ${clients.join(', ')}.`,
    flags: setup,
  },
  { word: 'serve', summary: 'Serve the store over HTTP until it is stopped.', flags: serving },
  {
    word: 'up',
    summary: 'Start a server in the background, or say where it runs; with a new link to log in.',
    flags: serving,
  },
  { word: 'down', summary: 'Stop the server that runs in the background.', flags: [] },
  {
    word: 'mcp',
    places: '[config]',
    summary: 'Speak MCP with an agent on stdin and stdout, or print how an agent is told of it.',
    flags: mcp,
  },
  {
    word: 'blob',
    places: 'put|get ARG',
    summary: 'Store a blob (`put FILE`, `-` for stdin), or read one (`get HASH`).',
    flags: blob,
  },
  {
    word: 'tour',
    summary: 'See it work in a temporary folder: real processes race, one is killed, nothing is lost.',
    flags: [],
  },
  {
    word: 'completion',
    places: 'SHELL',
    summary: 'Print the completion of commands, flags, keys and sessions for bash, zsh or fish.',
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
