import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { folderHere, isBareRepository, projectHere } from '../../../home/session-meant.ts'
import type { JsonObject } from '../../../json/value.ts'
import { serverName } from '../mcp/client-entry.ts'
import { reachedOverStdio } from '../mcp/reached-server.ts'
import { printNote } from '../output.ts'
import type { Called } from '../registry/own-command.ts'
import { usageError } from '../usage.ts'
import { wantedTargets, warningsAbout } from './checks.ts'
import { consent } from './consent.ts'
import { readConfigFile } from './files/config-file.ts'
import { type FileChange, refuseChanged, removeEmptyFolders, replaceFiles } from './files/replace-files.ts'
import { isInstalled, isStartedBy } from './installed-program.ts'
import type { EntryPiece } from './pieces.ts'
import { type PlannedChange, planRemoval, planSetup } from './plan.ts'
import { createSession, findSession, type ProjectSession } from './project-session.ts'
import { ProofFault, toolsOf } from './proof.ts'
import { changesText, type SetupReport, tell } from './setup-report.ts'
import { type SetupRequest, setupRequest } from './setup-request.ts'
import { editorOf } from './syntaxes.ts'
import { type Placement, placementOf, type Scope, type Target } from './targets.ts'
import { lineAt } from './text/text-fault.ts'

/** `cairn setup PROGRAM`: all is looked at before anything is written, and what was written is tried. */
export async function runSetup(called: Called): Promise<number> {
  const { json, program } = called
  const request = setupRequest(called)
  const project = folderHere()
  const reached = reachedOverStdio(request, 'agent', program.file)
  // A file of the project may be committed: there the name of the program stands for its path, where it starts the same.
  const byName = { ...reached, command: serverName, args: reached.args.slice(1) }
  const isNamed = isStartedBy(serverName, program.file)
  const placed = (scope: Scope) =>
    placementOf(request.client, scope, project, scope === 'project' && isNamed ? byName : reached)
  const placement = placed(request.scope)
  if (placement === undefined) {
    throw usageError(`${request.client} has no user-wide configuration.`, 'Leave out --scope user.')
  }
  const about = { client: request.client, scope: request.scope, project, dry_run: request.isDryRun }
  return request.isRemoval
    ? remove(request, placed, about, json)
    : setUp(request, placement, { ...about, warnings: notes(placement, project, request, isNamed) }, json)
}

type About = Pick<SetupReport, 'client' | 'scope' | 'project' | 'dry_run'>

async function setUp(
  request: SetupRequest,
  placement: Placement,
  about: About & { warnings: string[] },
  json: boolean,
) {
  const home = homeOf(request)
  const [first, ...others] = wantedTargets(placement)
  const planned = [first as Target, ...others].flatMap((target) => planSetup(target, home) ?? [])
  const found = request.isForAll ? undefined : await findSession(request)
  const isNew = found === undefined && !request.isForAll
  const report: SetupReport = { ...about, changes: planned.map(({ file }) => file), session: found, is_new: isNew }
  if (request.isDryRun) return tell(report, json)
  if ((planned.length > 0 || isNew) && !(await isAgreed(request, report, json))) return 1
  refuseChanged(planned.map(({ file }) => file))
  const session: ProjectSession | undefined = isNew ? await createSession(request, projectHere()) : found
  replaceFiles([...planned.map(({ receipt }) => receipt), ...planned.map(({ file }) => file)])
  if (!request.isTried) return tell({ ...report, session }, json)
  const tools = await proven(first as Target, about.project)
  return tell({ ...report, session, tools }, json)
}

/** Where no scope is named, what is not in the usual one is looked for in the other: there is nothing else that could be meant. */
async function remove(
  request: SetupRequest,
  placed: (scope: Scope) => Placement | undefined,
  about: About,
  json: boolean,
): Promise<number> {
  const home = homeOf(request)
  const planIn = (scope: Scope) => (placed(scope)?.targets ?? []).flatMap((target) => planRemoval(target, home) ?? [])
  const other: Scope = request.scope === 'user' ? 'project' : 'user'
  const [first, second] = [planIn(request.scope), planIn(other)]
  const isOther = !request.isScopeNamed && first.length === 0 && second.length > 0
  const planned = isOther ? second : first
  const changes = planned.map(({ file }) => file).filter(({ before, after }) => before !== after)
  const warnings = isOther ? [] : second.flatMap(({ file }) => leftIn(request, other, file))
  const report: SetupReport = { ...about, scope: isOther ? other : request.scope, changes, warnings, removed: true }
  if (request.isDryRun) return tell(report, json)
  if (changes.length > 0 && !(await isAgreed(request, report, json))) return 1
  replaceFiles([...changes, ...receiptsOf(planned)])
  removeEmptyFolders([join(home, 'setup'), ...planned.flatMap(({ emptied }) => emptied)])
  return tell(report, json)
}

/** Said of what is set up in the scope that was not meant. */
function leftIn({ client }: SetupRequest, scope: Scope, { path, before, after }: FileChange): string[] {
  if (before === after) return []
  return [`${path} also has Cairn (scope ${scope}): remove it with cairn setup ${client} --remove --scope ${scope}.`]
}

const receiptsOf = (planned: readonly PlannedChange[]) =>
  planned.map(({ receipt }) => receipt).filter(({ before }) => before !== undefined)

function homeOf({ home, store }: SetupRequest): string {
  const config = loadConfig({ home, store })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  return config.home
}

async function isAgreed(request: SetupRequest, report: SetupReport, json: boolean): Promise<boolean> {
  if (!(json && request.isAgreed)) printNote(changesText(report, 2))
  if (request.isAgreed || (await consent('Write these changes?'))) return true
  printNote('Nothing was changed.\n')
  return false
}

/** Starts what the file says now, as its program will. */
async function proven(target: Target, project: string): Promise<string[]> {
  const { text = '', path } = readConfigFile(target.path)
  const editor = editorOf(target.syntax)
  const { servers, name } = target.pieces[0] as EntryPiece
  const entry = editor.at(text, [...servers, name]) as JsonObject
  try {
    return await toolsOf(entry, project)
  } catch (error) {
    if (!(error instanceof ProofFault)) throw error
    const line = lineAt(text, editor.placeOf(text, [...servers, name]) ?? 0)
    const message = `${path}, line ${line}: the server "${serverName}" does not start: ${error.message}.`
    const hint = 'The files are written. Check the command of that entry; cairn doctor checks the store.'
    throw new CairnRefusal(refuse('unavailable', message, hint, { path, line }))
  }
}

/** Said where a file that others may check out starts a program by its path. */
function namesPaths({ targets: [{ path }] }: Placement): string {
  const installed = `install Cairn (npm i -g agent-cairn) and run ${serverName} setup again`
  return `${path} names paths of this machine. Do not commit it; or ${installed}, which then writes the name of the program only.`
}

function notes(placement: Placement, project: string, { client, scope }: SetupRequest, isNamed: boolean): string[] {
  const { program } = placement
  const missing = program !== undefined && !isInstalled(program)
  const isRepository = existsSync(join(project, '.git'))
  return [
    ...warningsAbout(placement),
    ...(scope === 'project' && isRepository && !isNamed ? [namesPaths(placement)] : []),
    ...(missing ? [`${program} is not on PATH: its configuration is ready for when it is installed.`] : []),
    ...(client === 'codex' && !isRepository
      ? [
          `${project} is ${isBareRepository(project) ? 'a bare' : 'not a'} git repository: codex exec needs --skip-git-repo-check here.`,
        ]
      : []),
  ]
}
