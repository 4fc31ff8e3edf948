import { isOptional, type Schema } from '../../../domain/log/input-schema.ts'
import type { Json } from '../../../json/value.ts'
import { isByName, nameOf, type Route } from '../rest/routes.ts'

/** What an operation is shown with, by its name and that of a member; for the others what a member of this name is shown with. */
const examples: Readonly<Record<string, Json>> = {
  topic: 'Make the parser faster',
  key: 'done',
  'state.append key': 'findings',
  'state.merge key': 'plan',
  'state.jsonPatch key': 'plan',
  'state.setIfAbsent key': 'leader',
  'state.counterAdd key': 'visits',
  'state.setAdd key': 'tags',
  'state.setRemove key': 'tags',
  'state.registerSet key': 'colour',
  value: 1,
  'state.setIfAbsent value': 'first',
  'state.registerSet value': 'blue',
  items: ['a finding'],
  patch: { done: 2 },
  'state.merge patch': { owner: 'fix' },
  operations: [{ op: 'replace', path: '/owner', value: 'read' }],
  'state.batch operations': [
    { op: 'set', key: 'phase', value: 'build' },
    { op: 'increment', key: 'done' },
  ],
  mutation: { type: 'set', key: 'done', value: 3 },
  state: { done: 0 },
  from: 1,
  to: 'now',
  'state.restore to': 2,
  part: 'state',
  target: 'done',
  schema: { type: 'number' },
  role: 'user',
  content: 'Where are we?',
  summary: 'What was said so far, in short.',
  run: 'run_0123456789abcdef0123456789abcdef',
  ttl: '30s',
  name: 'build',
  token: '1.0123456789abcdef0123456789abcdef',
  kind: 'agent',
  'token.create session': '$SESSION',
  'session.setStatus status': 'active',
  task: '1',
  phase: 1,
  'plan.add phase': 'Build',
  'phase.enter phase': 'Build',
  checkpoint: 1,
  blocker: 'block-001',
  workaround: 'The old endpoint still answers.',
  resolution: 'The key was renewed.',
  question: 'question-001',
  answer: 'The first of them.',
  sha: '4f2a9c17d3b08e65f1c24a9b7e0d6538c1fa2b94',
  message: 'Read the file once',
  branch: 'faster-parser',
  next: 'Measure it again',
  path: 'spec.md',
  dirs: ['/srv/parser'],
  moves: [],
  after: [],
  project: '/srv/parser',
  file: '/tmp/cairn.backup',
  root: 'sess_0123456789abcdef0123456789abcdef',
  events: [],
  client: 'claude-code',
  host: 'laptop',
  boot: '1',
  space: '',
  pid: 4711,
  started: '0',
  since: 0,
  timeout: '30s',
  id: '$TOKEN_ID',
}

/** Members that a line shows although they could be left out. */
const alsoShown: ReadonlySet<string> = new Set([
  'token.create session',
  'log.wait since',
  'log.wait timeout',
  'context.append role',
  'context.append content',
  'plan.add phase',
  'git.set branch',
  'journal.position phase',
  'journal.update next',
  'task.after after',
])

function exampleOf(operation: string, member: string): Json {
  return examples[`${operation} ${member}`] ?? examples[member] ?? '…'
}

/** How the document holds lines to try. */
export function shellSamples(...sources: readonly string[]): { 'x-codeSamples': Json } {
  return { 'x-codeSamples': sources.map((source) => ({ lang: 'Shell', source })) }
}

export const authorized = '-H "Authorization: Bearer $CAIRN_TOKEN"'

/** A line for a shell in which CAIRN_URL, CAIRN_TOKEN and SESSION are set. */
export function curlSample(route: Route): string {
  const { method, path, operation, guarded, type = 'application/json' } = route
  const body = bodyOf(route)
  const words = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    authorized,
    ...(guarded ? [`-H 'If-Match: *'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${type}'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  const place = path.replace(/\{(\w+)\}/g, (_, member: string) =>
    member === 'session' ? '$SESSION' : String(exampleOf(operation, member)),
  )
  return `${words.join(' ')} "$CAIRN_URL${place}${queryOf(route)}"`
}

/** In single quotes a shell leaves all as it is, and so what it is to fill in stands in double quotes. */
function quoted(text: string): string {
  return text.includes('$') ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`
}

/** The members that a call is shown with, beside those of the path. */
function shownOf(route: Route): string[] {
  const { does, path } = route
  const { members } = does.input
  return Object.keys(members).filter((member) => {
    if (path.includes(`{${member}}`)) return false
    if (member === 'session') return isByName(route) || alsoShown.has(`${does.name} session`)
    return !isOptional(members[member] as Schema<unknown>) || alsoShown.has(`${does.name} ${member}`)
  })
}

function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

function bodyOf(route: Route): Json | undefined {
  if (!takesBody(route)) return undefined
  if (route.body !== undefined) return exampleOf(route.operation, route.body)
  const word = route.when === undefined ? {} : { operation: route.when }
  const given = shownOf(route).map((member) => [
    nameOf(route, member),
    member === 'session' ? '$SESSION' : exampleOf(route.operation, member),
  ])
  const body = { ...word, ...Object.fromEntries(given) }
  return Object.keys(body).length === 0 ? undefined : body
}

function queryOf(route: Route): string {
  if (takesBody(route)) return ''
  const given = shownOf(route).map((member) => `${nameOf(route, member)}=${exampleOf(route.operation, member)}`)
  return given.length === 0 ? '' : `?${given.join('&')}`
}
