// A refusal that nobody catches: what Node prints of it is what somebody has to find the mistake with.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const printedBytesMax = 4096
/** Node prints the line of a file that an error came from, whatever its length. */
const lineCharsMax = 1000

const built = (name: string) => pathToFileURL(resolve('dist', name)).href

/** What Node prints of a script; the last of its lines is the one that fails. */
function printedBy(lines: readonly string[]): { printed: string; place: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-uncaught-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = join(folder, 'script.mjs')
  writeFileSync(script, lines.join('\n'))
  const env = { PATH: process.env.PATH, CAIRN_HOME: join(folder, 'home') }
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, env, encoding: 'utf8' })
  expect(Buffer.byteLength(stderr), stderr.slice(0, printedBytesMax)).toBeLessThan(printedBytesMax)
  expect(status, stderr).toBe(1)
  return { printed: stderr, place: `${basename(script)}:${lines.length}:` }
}

const opened = [
  `import { contextService, openCairn } from '${built('index.js')}'`,
  'const cairn = await openCairn()',
  "const { session_id: session } = await cairn.session.create({ topic: 'uncaught' })",
]
const connected = [
  `import { connect } from '${built('client.js')}'`,
  "const cairn = connect({ url: 'http://127.0.0.1:1', token: 't', deadlineMs: 1 })",
]
const notThere = { code: 'key_not_found', message: 'There is no key "gone".', hint: 'List the keys with' }
const conflict = { code: 'version_conflict', message: 'it was expected at version 7', hint: 'Read it again' }
const away = { code: 'unavailable', message: 'The server cannot be reached.', hint: 'Check its address' }
const unsent = { code: 'unavailable', message: 'The server did not answer.', hint: 'Try again' }
const noInstance = { code: 'session_not_found', message: 'There is no instance nobody.', hint: 'Leave out instanceId' }
const noStore = { code: 'invalid_input', message: 'is not a store URL', hint: 'Give sqlite:PATH' }

const cases = {
  'a read': { lines: [...opened, "await cairn.state.get({ session, key: 'gone' })"], ...notThere },
  // It is refused far from the caller, together with whatever else waits.
  'a write': { lines: [...opened, "await cairn.state.set({ session, key: 'k', value: 1, version: 7 })"], ...conflict },
  'a call within functions': {
    lines: [
      ...opened,
      'const read = async (key) => (await cairn.state.get({ session, key })).value',
      "await read('gone')",
    ],
    ...notThere,
  },
  // Thrown by the library itself: Node prints the line that throws.
  'going on with a conversation': {
    lines: [...opened, "await contextService({ cairn, agentName: 'a', instanceId: 'nobody' })"],
    ...noInstance,
  },
  'opening a store': { lines: [opened[0] as string, "await openCairn({ store: 'mysql://h' })"], ...noStore },
  'a call to a server': { lines: [...connected, 'await cairn.state.all({})'], ...away },
  'bytes for a server': { lines: [...connected, "await cairn.blob.get({ session: 's', hash: 'h' })"], ...unsent },
}

it.each(Object.entries(cases))('%s that is refused prints why, what to do and whose line it is', (_, asked) => {
  const { printed, place } = printedBy(asked.lines)
  for (const part of [asked.code, asked.message, asked.hint, place]) expect(printed).toContain(part)
})

it('a call that nobody awaits still says where it was refused', () => {
  const { printed } = printedBy([...opened, "cairn.state.get({ session, key: 'gone' }).then(console.log)"])
  for (const part of [notThere.code, notThere.message, notThere.hint, 'at ']) expect(printed).toContain(part)
})

it('a refusal as text has its code and its hint', () => {
  const { printed } = printedBy([
    ...opened,
    "const refusal = await cairn.state.get({ session, key: 'gone' }).catch((error) => error)",
    'console.error(String(refusal))',
    'process.exit(1)',
  ])
  expect(printed).toMatch(/^CairnRefusal \[key_not_found\]: There is no key "gone"\. List the keys with .*\n$/)
})

/** A file of the build and those that it imports: beside them lie, for a day, those of builds before. */
function builtFrom(path: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen
  const text = readFileSync(path, 'utf8')
  seen.set(path, text)
  for (const [, name = ''] of text.matchAll(/["'](\.\/(?:chunks\/)?[\w-]+\.js)["']/g))
    builtFrom(join(dirname(path), name), seen)
  return seen
}

it(`no built file has a line of more than ${lineCharsMax} characters`, () => {
  const files = ['dist/index.js', 'dist/client.js', 'dist/cli.cjs'].flatMap((path) => [...builtFrom(path)])
  const longest = files.map(([path, text]) => [path, Math.max(...text.split('\n').map((line) => line.length))] as const)
  expect(longest.filter(([, length]) => length > lineCharsMax)).toEqual([])
  expect(longest.length).toBeGreaterThan(3)
})
