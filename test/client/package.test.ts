// The package as it is published: packed, unpacked beside its dependencies, compiled against and run.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  compilers,
  faultsOf,
  inNode,
  inPage,
  library,
  makeConsumer,
  page,
  printedByLibrary,
  printedByPage,
  ways,
} from './consumer.ts'

const folder = join(tmpdir(), `cairn-package-${process.pid}`)
const source = join(folder, 'source')
const consumer = join(folder, 'consumer')
const sources = ['src', 'bin', 'scripts', 'migrations', 'dashboard', 'package.json', 'tsconfig.json']
const timeout = 240_000

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** What each compiler says of a program, however it finds modules; and what the program then prints. */
function compiled(file: string, surroundings: object): { faults: Record<string, string>; printed: string } {
  const tries = Object.entries(compilers).flatMap(([name, compiler]) =>
    ways.map((way) => {
      const faults = faultsOf(compiler, consumer, file, { ...way, ...surroundings })
      return [`${name} ${JSON.stringify(way)}`, faults] as const
    }),
  )
  const faults = Object.fromEntries(tries.filter(([, said]) => said !== ''))
  return { faults, printed: run(consumer, process.execPath, file.replace('.ts', '.js')) }
}

// It builds the package twice and compiles against it 24 times: minutes.
describe.skipIf(process.env.CAIRN_LONG === undefined)('the package', () => {
  /** Packing builds anew, which would pull the built program away from under the other tests: so that is done in a copy. */
  beforeAll(() => {
    for (const name of sources) cpSync(resolve(name), join(source, name), { recursive: true })
    symlinkSync(resolve('node_modules'), join(source, 'node_modules'))
    run(source, 'npm', 'pack', '--pack-destination', folder, '--loglevel', 'error')
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string
    const installed = join(consumer, 'node_modules', 'agent-cairn')
    mkdirSync(installed, { recursive: true })
    run(folder, 'tar', '-xzf', packed, '--strip-components=1', '-C', installed)
    makeConsumer(consumer)
    writeFileSync(join(consumer, 'page.ts'), page)
    writeFileSync(join(consumer, 'library.ts'), library)
  }, timeout)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('S0-27 the client compiles strictly for a page, without the types of Node', { timeout }, () => {
    expect(compiled('page.ts', inPage)).toEqual({ faults: {}, printed: printedByPage })
  })

  it('the library and the client compile strictly for Node, and know each other', { timeout }, () => {
    expect(compiled('library.ts', inNode)).toEqual({ faults: {}, printed: printedByLibrary })
  })

  it('a clone that was built is imported from its folder, with its types', { timeout }, () => {
    rmSync(join(source, 'dist'), { recursive: true })
    run(source, 'npm', 'run', 'build', '--ignore-scripts', '--loglevel', 'error')
    // As npm install ../cairn leaves it.
    const installed = join(consumer, 'node_modules', 'agent-cairn')
    rmSync(installed, { recursive: true })
    symlinkSync(source, installed)
    expect(compiled('library.ts', inNode)).toEqual({ faults: {}, printed: printedByLibrary })
  })
})
