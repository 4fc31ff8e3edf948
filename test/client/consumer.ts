// A program that has the package among its dependencies, as strict compilers see it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The last compiler that is written in JavaScript, and the first that is not. */
export const compilers = { 'TypeScript 5.9': 'typescript', 'TypeScript 7': 'typescript-7' } as const

/** Strict to the last, so that the declarations of the package are checked too. */
export const strict = { strict: true, target: 'es2023', skipLibCheck: false, noUncheckedIndexedAccess: true }

/** How modules are found, and whether what may be left out may be undefined too. */
export const ways = [
  { module: 'nodenext', exactOptionalPropertyTypes: true },
  { module: 'nodenext', exactOptionalPropertyTypes: false },
  { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true },
  { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: false },
]

/** The types of Node are not there in a page. */
export const inPage = { lib: ['es2023', 'dom'], types: [] as string[] }
export const inNode = { types: ['node'] }

export const page = `
import { type Cairn, CairnRefusal, connect, type FeedEvent, type Json } from 'agent-cairn/client'
import type { StateGetAnswer, StateGetInput, TaskListAnswer } from 'agent-cairn/client'

const cairn: Cairn = connect({ url: 'http://127.0.0.1:1', token: 't', deadlineMs: 1 })
const input: StateGetInput = { key: 'n', session: undefined }
const get = (): Promise<StateGetAnswer> => cairn.state.get(input)
const value: Json | undefined = await get().then((got) => got.value).catch((error: unknown) => {
  if (error instanceof CairnRefusal) return error.code
})
// An answer is JSON.
const written = (answer: TaskListAnswer): Json => answer
// @ts-expect-error: a key is text
cairn.state.get({ key: 1 }).catch(() => undefined)
// @ts-expect-error: there is no such member
cairn.state.get({ key: 'n', keys: [] }).catch(() => undefined)
// @ts-expect-error: the key is missing
const keyless: StateGetInput = {}
const seqOf = ({ seq }: FeedEvent): number => seq
console.log(value, typeof seqOf, typeof cairn.follow, typeof written, Object.keys(keyless).length)
`
export const printedByPage = 'unavailable function function function 0\n'

export const library = `
import { type Cairn, CairnRefusal, connect, openCairn, type SessionCreateAnswer } from 'agent-cairn'
import { type Cairn as CairnOfClient, connect as connectAlone } from 'agent-cairn/client'

const cairn: Cairn = await openCairn({ home: './home' })
const { session_id: session }: SessionCreateAnswer = await cairn.session.create({ topic: 'packed' })
const { value } = await cairn.state.update({ session, key: 'n', fn: (n) => Number(n ?? 0) + 1 })
const both: CairnOfClient[] = [connect, connectAlone].map((each) => each({ url: 'http://127.0.0.1:1', token: 't', deadlineMs: 1 }))
const refusals = await Promise.all(both.map((each) => each.state.all({}).catch((error: unknown) => error)))
console.log(value, refusals.every((each) => each instanceof CairnRefusal))
await cairn.close()
`
export const printedByLibrary = '1 true\n'

/** The names of what a user gets with the package, and the types that those who compile for Node have. */
function dependencies(): string[] {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
  return [...Object.keys(dependencies), '@types/node', 'undici-types']
}

/** Makes the folder of a program beside whose dependencies the package can be put. */
export function makeConsumer(folder: string): void {
  for (const name of dependencies()) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(resolve('node_modules', name), link)
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** What a compiler says of a file of the consumer: nothing when all is well. Its JavaScript is then beside it. */
export function faultsOf(compiler: string, consumer: string, file: string, options: object): string {
  const config = join(consumer, `tsconfig.${file}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files: [file] }))
  const tsc = resolve('node_modules', compiler, 'bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], { cwd: consumer, encoding: 'utf8' })
  return stdout + stderr
}
