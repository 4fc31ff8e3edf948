// What Node has compiled of the program is kept beside it: that must never be more than a matter of speed.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const run = promisify(execFile)

describe('the compiled program', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-compiled-'))
    mkdirSync(join(folder, 'dist'))
    cpSync('bin', join(folder, 'bin'), { recursive: true })
    cpSync('dist/cli.cjs', join(folder, 'dist/cli.cjs'))
    cpSync('package.json', join(folder, 'package.json'))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const said = async () => (await run(process.execPath, [join(folder, 'bin/cairn'), 'help'])).stdout
  const kept = () => readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.cache'))
  const keptFile = () => join(folder, 'dist', kept()[0] as string)

  it('is kept by the first command and says the same in the second', async () => {
    const first = await said()
    expect(kept()).toHaveLength(1)
    const bytes = readFileSync(keptFile())
    expect(await said()).toBe(first)
    expect(readFileSync(keptFile()).equals(bytes)).toBe(true)
  })

  it('is made anew where it is empty or cut off', async () => {
    const first = await said()
    for (const length of [0, 1000]) {
      truncateSync(keptFile(), length)
      expect(await said()).toBe(first)
      expect(readFileSync(keptFile()).length).toBeGreaterThan(1000)
    }
  })

  it('is never that of another build', async () => {
    await said()
    const old = kept()
    const program = join(folder, 'dist/cli.cjs')
    const text = readFileSync(program, 'utf8')
    // As long as before, so that Node itself would take it for the same.
    writeFileSync(program, text.slice(0, -16) + '0'.repeat(16))
    await said()
    expect(kept()).toHaveLength(2)
    expect(kept()).toEqual(expect.arrayContaining(old))
  })

  it('is done without where nothing can be written', async () => {
    // A folder in the place of the file: renaming fails, whoever asks.
    await said()
    const [name] = kept() as [string]
    rmSync(join(folder, 'dist', name))
    mkdirSync(join(folder, 'dist', name, 'full'), { recursive: true })
    expect(await said()).toContain('cairn')
    expect(existsSync(join(folder, 'dist', name, 'full'))).toBe(true)
  })
})
