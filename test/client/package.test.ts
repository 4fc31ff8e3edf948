// The package as it is published: packed, unpacked beside its dependencies, compiled against and run.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = join(tmpdir(), `cairn-package-${process.pid}`)
const source = join(folder, 'source')
const consumer = join(folder, 'consumer')
const sources = ['src', 'bin', 'scripts', 'migrations', 'package.json', 'tsconfig.json', 'tsconfig.types.json']
const timeout = 240_000

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function compiled(name: string, lines: readonly string[], options: object): string {
  writeFileSync(join(consumer, `${name}.ts`), lines.join('\n'))
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', skipLibCheck: false, ...options }
  const config = join(consumer, `tsconfig.${name}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  run(consumer, process.execPath, resolve('node_modules/typescript/bin/tsc'), '-p', config)
  return run(consumer, process.execPath, `${name}.js`)
}

const inPage = [
  "import { type Cairn, CairnRefusal, connect, type FeedEvent, type Json } from 'agent-cairn/client'",
  "const cairn: Cairn = connect({ url: 'http://127.0.0.1:1', token: 't', deadlineMs: 1 })",
  'const value: Json | undefined = await cairn.state.get({ key: "n" }).then((got) => got.value).catch((error) => {',
  '  if (error instanceof CairnRefusal) return error.code',
  '})',
  '// @ts-expect-error: a key is text',
  'cairn.state.get({ key: 1 }).catch(() => undefined)',
  'const seqOf = ({ seq }: FeedEvent): number => seq',
  'console.log(value, typeof seqOf, typeof cairn.follow)',
]

const inLibrary = [
  "import { type Cairn, CairnRefusal, connect, openCairn } from 'agent-cairn'",
  "import { connect as connectAlone } from 'agent-cairn/client'",
  "const cairn: Cairn = await openCairn({ home: './home' })",
  "const { session_id: session } = await cairn.session.create({ topic: 'packed' })",
  "const { value } = await cairn.state.update({ session, key: 'n', fn: (n) => Number(n ?? 0) + 1 })",
  "const both: Cairn[] = [connect, connectAlone].map((each) => each({ url: 'http://127.0.0.1:1', token: 't', deadlineMs: 1 }))",
  'const refusals = await Promise.all(both.map((each) => each.state.all({}).catch((error: unknown) => error)))',
  'console.log(value, refusals.every((each) => each instanceof CairnRefusal))',
  'await cairn.close()',
]

// It builds the package twice and compiles against it six times: more than a minute.
describe.skipIf(process.env.CAIRN_LONG === undefined)('the package', () => {
  /** Packing builds anew, which would pull the built program away from under the other tests: so that is done in a copy. */
  beforeAll(() => {
    for (const name of sources) cpSync(resolve(name), join(source, name), { recursive: true })
    symlinkSync(resolve('node_modules'), join(source, 'node_modules'))
    run(source, 'npm', 'pack', '--pack-destination', folder, '--loglevel', 'error')
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string
    const installed = join(consumer, 'node_modules')
    mkdirSync(join(installed, 'agent-cairn'), { recursive: true })
    run(folder, 'tar', '-xzf', packed, '--strip-components=1', '-C', join(installed, 'agent-cairn'))
    for (const name of ['@photostructure', '@types', 'pg', 'ws']) {
      symlinkSync(resolve('node_modules', name), join(installed, name))
    }
    writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }')
  }, timeout)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('S0-27 the client compiles strictly for a page, without the types of Node', { timeout }, () => {
    expect(compiled('page', inPage, { lib: ['es2023', 'dom'], types: [] })).toBe('unavailable function function\n')
  })

  it('the library and the client compile strictly for Node, and know each other', { timeout }, () => {
    expect(compiled('library', inLibrary, { types: ['node'] })).toBe('1 true\n')
  })

  it('both have their types for bundlers too', { timeout }, () => {
    const bundler = { module: 'esnext', moduleResolution: 'bundler' }
    expect(compiled('bundled', inLibrary, { ...bundler, types: ['node'] })).toBe('1 true\n')
    const page = { ...bundler, lib: ['es2023', 'dom'], types: [] }
    expect(compiled('bundled-page', inPage, page)).toBe('unavailable function function\n')
  })

  it('a clone that was built is imported from its folder, with its types', { timeout }, () => {
    rmSync(join(source, 'dist'), { recursive: true })
    run(source, 'npm', 'run', 'build', '--ignore-scripts', '--loglevel', 'error')
    // As npm install ../cairn leaves it.
    const installed = join(consumer, 'node_modules', 'agent-cairn')
    rmSync(installed, { recursive: true })
    symlinkSync(source, installed)
    expect(compiled('cloned', inLibrary, { types: ['node'] })).toBe('1 true\n')
    const bundler = { module: 'esnext', moduleResolution: 'bundler' }
    expect(compiled('cloned-bundled', inLibrary, { ...bundler, types: ['node'] })).toBe('1 true\n')
  })
})
