// A refusal that nobody catches: what Node prints of it is what somebody has to find the mistake with.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
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
  expect(status, stderr).toBe(1)
  return { printed: stderr, place: `${basename(script)}:${lines.length}:` }
}

const opened = [
  `import { openCairn } from '${built('index.js')}'`,
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
  'opening a store': { lines: [opened[0] as string, "await openCairn({ store: 'mysql://h' })"], ...noStore },
  'a call to a server': { lines: [...connected, 'await cairn.state.all({})'], ...away },
  'bytes for a server': { lines: [...connected, "await cairn.blob.get({ session: 's', hash: 'h' })"], ...unsent },
}

it.each(Object.entries(cases))('%s that is refused prints why, what to do and whose line it is', (_, asked) => {
  const { printed, place } = printedBy(asked.lines)
  for (const part of [asked.code, asked.message, asked.hint, place]) expect(printed).toContain(part)
  expect(Buffer.byteLength(printed), printed).toBeLessThan(printedBytesMax)
})

it('a call that nobody awaits still says where it was refused', () => {
  const { printed } = printedBy([...opened, "cairn.state.get({ session, key: 'gone' }).then(console.log)"])
  for (const part of [notThere.code, notThere.message, notThere.hint, 'at ']) expect(printed).toContain(part)
  expect(Buffer.byteLength(printed), printed).toBeLessThan(printedBytesMax)
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

it(`no built file has a line of more than ${lineCharsMax} characters`, () => {
  const chunks = readdirSync('dist/chunks').map((name) => join('chunks', name))
  const files = ['index.js', 'client.js', 'cli.cjs', ...chunks.filter((name) => name.endsWith('.js'))]
  const longest = files.map((name) => {
    const lines = readFileSync(join('dist', name), 'utf8').split('\n')
    return [name, Math.max(...lines.map((line) => line.length))] as const
  })
  expect(longest.filter(([, length]) => length > lineCharsMax)).toEqual([])
})
