// `cairn setup` in a bare git repository, then the real Claude Code and Codex at their first run, without a further flag.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sleep } from '../../src/clock.ts'
import { type Folder, hasTerminal } from '../setup-command/folder.ts'
import { claude, claudeEnvironment, codex } from './agents.ts'
import { installed } from './installed.ts'
import { repository, turn } from './repository.ts'
import { startOnTerminal } from './run-program.ts'
import { type Call, standIn } from './stand-in.ts'

const known = [
  { name: 'claude', agent: claude, scope: 'project' },
  { name: 'claude', agent: claude, scope: 'user' },
  { name: 'codex', agent: codex, scope: 'user' },
] as const

const script: readonly Call[] = [
  { tool: 'state_increment', arguments: { key: 'turns' } },
  { tool: 'state_get', arguments: { key: 'turns' } },
]

/** Writes, reads, waits for what a person sets meanwhile, claims, writes as the holder, and gives back. */
function wholeScript(place: Folder): readonly Call[] {
  const tokenIn = (results: readonly string[]) => /"token":"([^"]+)"/.exec(results[3] ?? '')?.[1]
  return [
    ...script,
    {
      tool: 'state_wait',
      arguments: { key: 'go', timeout: '60s' },
      // Whether the agent or the person comes first is the same to a wait.
      before: async () => void place.answer(['state', 'set', 'go', '"now"']),
    },
    { tool: 'state_claim', arguments: { key: 'turns' } },
    {
      tool: 'state_set',
      arguments: (results) => ({ key: 'turns', value: '10', fence: `key/turns:${tokenIn(results)}` }),
    },
    { tool: 'state_claim', arguments: (results) => ({ key: 'turns', action: 'release', token: tokenIn(results) }) },
  ]
}

const wholeResults = [
  expect.stringContaining('"value":1'),
  expect.stringContaining('"updated_by"'),
  expect.stringContaining('"now"'),
  expect.stringContaining('"token"'),
  expect.stringContaining('"value":10'),
  expect.stringContaining('"released":true'),
]

/** It wrote as a session of its own, which bears its name. */
async function expectChild(place: Folder, client: string, status: string): Promise<void> {
  const { updated_by } = await place.answer(['state', 'get', 'turns'])
  expect(await place.answer(['session', 'show', updated_by])).toMatchObject({ session_name: `${client}-1`, status })
}

describe.each(known)('$name, set up for the $scope', ({ agent, scope }) => {
  const given = ['--scope', scope]

  it('writes, reads, waits and claims at its first run', async () => {
    const place = repository()
    if (scope === 'user') await place.session('Work')
    await place.answer(['setup', agent.name, '--yes', ...given])
    expect(await turn(agent, place, wholeScript(place))).toEqual(wholeResults)
    expect(await place.answer(['state', 'get', 'turns'])).toMatchObject({ value: 10, version: 2 })
    await expectChild(place, agent.client, 'completed')
  })

  it('works from a folder below too, and no longer when it is removed', async () => {
    const place = repository()
    if (scope === 'user') await place.session('Work')
    await place.answer(['setup', agent.name, '--yes', ...given])
    const below = join(place.project, 'src', 'deep')
    mkdirSync(below, { recursive: true })
    expect(await turn(agent, place, script, { cwd: below })).toEqual(wholeResults.slice(0, 2))
    expect(await place.answer(['state', 'get', 'turns'])).toMatchObject({ value: 1, version: 1 })
    expect(await place.answer(['setup', agent.name, ...given])).toMatchObject({ files: [] })
    await place.answer(['setup', agent.name, '--remove', '--yes', ...given])
    expect(await turn(agent, place, script)).toEqual([])
  })
})

describe.skipIf(!hasTerminal)('claude on a terminal, in a folder that is trusted', () => {
  /** What a person has said before: how it looks, which key it may use, that the folder is trusted. */
  const said = (project: string) => ({
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['none'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  })

  it('writes, reads, waits and claims without a question', async () => {
    const place = repository()
    place.put('.claude.json', JSON.stringify(said(place.project)))
    await place.answer(['setup', 'claude', '--yes'])
    const whole = wholeScript(place)
    const model = await standIn(claude.dialect, whole)
    onTestFinished(() => model.stop())
    const env = { HOME: place.folder, ...claudeEnvironment(model.url) }
    const program = startOnTerminal(installed('claude'), place.project, env)
    while (model.results.length < whole.length) {
      expect(program.shown()).not.toMatch(/NewMCPserver|Doyouwanttoproceed/)
      // What is typed before it has reached the server is answered without its tools.
      if (model.offered.length === 0) {
        program.type('Go on.')
        await sleep(500)
        program.type('\r')
      }
      await sleep(2500)
    }
    expect(model.results).toEqual(wholeResults)
    await expectChild(place, claude.client, 'running')
  })
})
