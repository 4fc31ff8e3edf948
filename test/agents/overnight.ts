// The workflow of docs/guides/unattended.md, as it stands there, with the real programs and a stand-in for each of their models.
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Document } from '../cli/sandbox.ts'
import type { Folder } from '../setup-command/folder.ts'
import { claudeEnvironment } from './agents.ts'
import { anthropic } from './anthropic.ts'
import { installed } from './installed.ts'
import { openai } from './openai.ts'
import { killTree, processTree } from './process-tree.ts'
import { repository } from './repository.ts'
import { type Call, type StandIn, standIn } from './stand-in.ts'

const guide = readFileSync('docs/guides/unattended.md', 'utf8')
const [, workflow = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? []

/** Why the programs cannot be had here, if so. */
const missing = ((): string | undefined => {
  try {
    for (const name of ['claude', 'codex'] as const) installed(name)
    return undefined
  } catch (error) {
    return `the programs cannot be installed: ${(error as Error).message.split('\n')[0]}`
  }
})()

interface Night {
  readonly place: Folder
  readonly root: string
  readonly claude: StandIn
  readonly codex: StandIn
}

type Script = (place: Folder) => readonly Call[]

/** Both programs under their own names, where nothing but a model is not real. */
async function begun(
  scripts: { readonly claude: Script; readonly codex: Script },
  change = (text: string) => text,
): Promise<Night> {
  const place = repository()
  const claude = await standIn(anthropic, scripts.claude(place))
  const codex = await standIn(openai, scripts.codex(place))
  for (const model of [claude, codex]) onTestFinished(() => model.stop())
  for (const name of ['claude', 'codex'] as const) {
    const path = place.put(`bin/${name}`, `#!/bin/sh\nexec '${process.execPath}' '${installed(name)}' "$@"\n`)
    execFileSync('chmod', ['+x', path])
  }
  place.put('.codex/config.toml', codexSettings(codex.url))
  const env = { ...claudeEnvironment(claude.url), STAND_IN_KEY: 'none', IS_SANDBOX: '1' }
  // Only the way to the stand-ins is added.
  const text = change(workflow).replace(/^defaults:\n/m, `defaults:\n  env: [${Object.keys(env).join(', ')}]\n`)
  writeFileSync(join(place.project, 'night.yaml'), text)
  const who = ['config', '--file', join(place.folder, '.gitconfig')]
  execFileSync('git', [...who, 'user.name', 'Somebody'])
  execFileSync('git', [...who, 'user.email', 'somebody@example.com'])
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'base')
  await place.answer(['trust', 'night.yaml', '--yes'])
  const PATH = `${join(place.folder, 'bin')}:${process.env.PATH}`
  await place.run(['up', '--port', '0'], { env: { ...env, PATH } })
  onTestFinished(async () => {
    await place.run(['cancel', 'night'])
    await place.run(['down'])
  })
  const { session_id: root } = await place.answer(['run', 'night.yaml', '--name', 'night', '--detach'])
  return { place, root, claude, codex }
}

function git(place: Folder, ...words: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: place.folder }
  return execFileSync('git', words, { cwd: place.project, env, encoding: 'utf8', stdio: 'pipe' })
}

const codexSettings = (url: string) => `model = "stand-in"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "${url}/v1"
env_key = "STAND_IN_KEY"
wire_api = "responses"
`

/** What a model does: it says what it measured; and what it changed stands in its folder by then. */
const measures =
  (id: string, before: (folder: string) => void = () => undefined): Script =>
  (place) => [
    {
      tool: 'state_set',
      arguments: { key: `bench.${id}`, value: '1.5' },
      async before() {
        const folder = (await agentOf(place, `fix-${id}`)).worktree
        writeFileSync(join(folder, `${id}.txt`), 'faster\n')
        before(folder)
      },
    },
  ]

async function agentOf(place: Folder, id: string): Promise<Document> {
  const { agents } = await place.answer(['status', 'night'])
  return agents.find((agent: Document) => agent.id === id)
}

async function endOf({ place, root }: Night): Promise<Document> {
  await place.run(['watch', root])
  return place.answer(['status', root])
}

describe.skipIf(missing !== undefined)(
  `the workflow of the guide${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    it('is done by both programs at once, each on its branch', async () => {
      const night = await begun({ claude: measures('lexer'), codex: measures('cache') })
      const { session, agents } = await endOf(night)
      const { out, err } = await night.place.run(['logs', night.root, '--all'])
      expect(session.status, `${JSON.stringify(agents)}\n${out}\n${err}`).toBe('completed')
      for (const [id, program] of [
        ['lexer', 'Claude Code'],
        ['cache', 'Codex'],
      ] as const) {
        const agent = await agentOf(night.place, `fix-${id}`)
        expect(await night.place.answer(['state', 'get', `bench.${id}`, '--session', night.root])).toMatchObject({
          value: 1.5,
          updated_by: agent.session_id,
        })
        expect(git(night.place, 'log', '--format=%s', `HEAD..${agent.branch}`)).toBe(`fix-${id}: by ${program}\n`)
        expect(git(night.place, 'show', `${agent.branch}:${id}.txt`)).toBe('faster\n')
        expect(agent.branch).toBe(`cairn/night/fix-${id}`)
      }
      expect(git(night.place, 'status', '--porcelain')).toBe('')
      const { events } = await night.place.answer(['log', '--session', night.root, '--stream', 'workflow'])
      const results = events
        .filter(({ type }: Document) => type === 'agent_exited')
        .map(({ data }: Document) => data.result.text)
      expect(results.map((text: string) => text.trim())).toEqual(['Done.', 'Done.'])
    })

    it.each(['lexer', 'cache'])('goes on in its folder after the program of fix-%s was killed', async (killed) => {
      let kills = 0
      const dies = (id: string) =>
        measures(id, (folder) => {
          if (id !== killed) return
          kills += 1
          for (const pid of programsIn(folder)) killTree(pid)
        })
      const night = await begun({ claude: dies('lexer'), codex: dies('cache') })
      const { session, agents } = await endOf(night)
      expect([session.status, kills], JSON.stringify(agents)).toEqual(['completed', 1])
      expect((await agentOf(night.place, `fix-${killed}`)).attempts).toBe(2)
      expect(git(night.place, 'show', `cairn/night/fix-${killed}:${killed}.txt`)).toBe('faster\n')
    })

    it('waits for a person after a kill where the file says never', async () => {
      const kill = (folder: string) => programsIn(folder).forEach(killTree)
      const scripts = { claude: measures('lexer', kill), codex: measures('cache') }
      const night = await begun(scripts, (text) => text.replace('auto_resume: always', 'auto_resume: never'))
      const waiting = async () => (await agentOf(night.place, 'fix-lexer')).waits_for
      await expect.poll(waiting, { timeout: 120_000 }).toBe('consent')
      await night.place.answer(['approve', 'night', '--agent', 'fix-lexer'])
      expect((await endOf(night)).session.status).toBe('completed')
    })
  },
)

/** The programs that were started in a folder. */
function programsIn(folder: string): number[] {
  return processTree(1)
    .filter(({ pid }) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder
      } catch {
        return false
      }
    })
    .map(({ pid }) => pid)
}
