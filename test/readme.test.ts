import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCairn } from '../src/index.ts'

const readme = new URL('../README.md', import.meta.url)
const bin = new URL('../bin', import.meta.url).pathname

/** What differs from run to run: ids, dates, ages and the user, and with them the width of columns. */
function settled(text: string): string {
  return text
    .replace(/sess_[0-9a-f]{32}/g, 'sess_…')
    .replace(/\d{4}-\d\d-\d\d_/g, 'DAY_')
    .replace(/_[0-9a-f]{6}\b/g, '_……')
    .replace(/\b[0-9a-f]{8}\b/g, '……')
    .replace(/\b(?:now|\d+(?:ms|s|m|h|d) ago)/g, 'AGO')
    .replace(/\bcli:\S+/g, 'cli:USER')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

/** Runs the commands of every console block, one after the other in one folder, and puts what they print below them. */
function played(text: string, folder: string): string {
  mkdirSync(join(folder, 'work'))
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, CAIRN_HOME: join(folder, 'home') }
  return text.replace(/```console\n([\s\S]*?)```/g, (_block, body: string) => {
    const commands = body.split('\n').filter((line) => line.startsWith('$ '))
    const shown = commands.map((line) => {
      const run = spawnSync('sh', ['-c', `${line.slice(2)} 2>&1`], { env, cwd: join(folder, 'work'), encoding: 'utf8' })
      return `${line}\n${run.stdout.trimEnd()}`
    })
    return `\`\`\`console\n${shown.join('\n')}\n\`\`\``
  })
}

it('the README shows what its commands really print (UPDATE_README=1 writes it)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-readme-'))
  try {
    const text = readFileSync(readme, 'utf8')
    const real = played(text, folder)
    if (process.env.UPDATE_README) writeFileSync(readme, real.replaceAll(folder, '~'))
    else expect(settled(text)).toBe(settled(real.replaceAll(folder, '~')))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

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
