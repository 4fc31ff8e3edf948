// The real programs, installed beside the packages of the project and never as one of them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve('node_modules/.cache/agents')

/** The versions that were seen to work; each is started by a file that Node runs, so that no install script is needed. */
const programs = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.325', starts: 'cli-wrapper.cjs' },
  codex: { package: '@openai/codex', version: '0.166.0', starts: 'bin/codex.js' },
} as const

/** Installs a program unless it is there; the file that starts it. */
export function installed(name: keyof typeof programs): string {
  const { package: from, version, starts } = programs[name]
  const place = join(folder, `${name}-${version}`)
  const program = join(place, 'node_modules', from, starts)
  if (!existsSync(program)) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${from}@${version}`], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return program
}
