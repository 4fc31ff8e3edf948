import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { openCairn } from '../src/index.ts'

const readme = new URL('../README.md', import.meta.url)
const guides = new URL('../docs/guides/', import.meta.url)
const bin = new URL('../bin', import.meta.url).pathname

/** The port that the documents speak of; the commands here use one that is free. */
const shownPort = '4747'

/** What differs from run to run: ids, dates, ages and the user, and with them the width of columns. */
function settled(text: string): string {
  return text
    .replace(/sess_[0-9a-f]{32}/g, 'sess_…')
    .replace(/\d{4}-\d\d-\d\d_/g, 'DAY_')
    .replace(/_[0-9a-f]{6}\b/g, '_……')
    .replace(/\b[0-9a-f]{8}\b/g, '……')
    .replace(/\b(?:now|\d+(?:ms|s|m|h|d) ago)/g, 'AGO')
    .replace(/\bpid \d+/g, 'pid N')
    .replace(/\bcli:\S+/g, 'cli:USER')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

/** Runs the commands of every console block, one after the other in one folder, and puts what they print below them. */
function played(text: string, folder: string, port: string): string {
  mkdirSync(join(folder, 'work'))
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
  return text.replace(/```console\n([\s\S]*?)```/g, (_block, body: string) => {
    const commands = body.split('\n').filter((line) => line.startsWith('$ '))
    const shown = commands.map((line) => {
      const command = line.slice(2).replaceAll(shownPort, port).replace('cairn up', `cairn up --port ${port}`)
      const run = spawnSync('sh', ['-c', `${command} 2>&1`], { env, cwd: join(folder, 'work'), encoding: 'utf8' })
      return `${line}\n${run.stdout.trimEnd().replaceAll(port, shownPort)}`.trimEnd()
    })
    return `\`\`\`console\n${shown.join('\n')}\n\`\`\``
  })
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

const documents = [readme, ...readdirSync(guides).map((name) => new URL(name, guides))].filter((url) =>
  readFileSync(url, 'utf8').includes('```console'),
)

const hasCurl = spawnSync('curl', ['--version']).status === 0

for (const url of documents) {
  const name = basename(url.pathname)
  it.skipIf(name !== 'README.md' && !hasCurl)(
    `${name} shows what its commands really print (UPDATE_README=1 writes it)`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'cairn-readme-'))
      try {
        const text = readFileSync(url, 'utf8')
        const real = played(text, folder, await freePort())
        if (process.env.UPDATE_README) writeFileSync(url, real.replaceAll(folder, '~'))
        else expect(settled(text)).toBe(settled(real.replaceAll(folder, '~')))
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
}

it('the library of the README works as it stands there', async () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'cairn-readme-'))
  try {
    const program = code
      .replace("'agent-cairn'", JSON.stringify(new URL('../dist/index.js', import.meta.url).href))
      .replace('/path/to/data', folder)
    writeFileSync(join(folder, 'tour.mjs'), program)
    const printed = execFileSync(process.execPath, [join(folder, 'tour.mjs')], { encoding: 'utf8' })
    expect(printed.trim().split('\n')).toEqual(['1 session_created null', '2 increment done', '3 set plan'])
    const cairn = await openCairn({ home: folder })
    expect((await cairn.session.list({})).sessions).toHaveLength(1)
    await cairn.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the library of docs/guides/conversations.md works as it stands there', () => {
  const guide = readFileSync(new URL('conversations.md', guides), 'utf8')
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'cairn-readme-'))
  try {
    const library = JSON.stringify(new URL('../dist/index.js', import.meta.url).href)
    writeFileSync(join(folder, 'agent.mjs'), code.replace("'agent-cairn'", library))
    const env = { PATH: process.env.PATH ?? '', HOME: folder }
    const printed = execFileSync(process.execPath, [join(folder, 'agent.mjs')], { encoding: 'utf8', env })
    expect(printed.trim()).toBe('Be brief. 3 2 6')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'the Python of docs/guides/rest.md works as it stands there',
  async () => {
    const [, code = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync(new URL('rest.md', guides), 'utf8')) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'cairn-readme-'))
    const env = { PATH: process.env.PATH ?? '', HOME: folder }
    const port = await freePort()
    const cairn = (...args: string[]) =>
      execFileSync(process.execPath, [join(bin, 'cairn'), ...args], { env, cwd: folder })
    try {
      cairn('up', '--port', port)
      const printed = execFileSync('python3', ['-c', code.replaceAll(shownPort, port)], { env, encoding: 'utf8' })
      expect(printed.trim()).toBe("{'done': 1}")
    } finally {
      cairn('down')
      rmSync(folder, { recursive: true })
    }
  },
)
