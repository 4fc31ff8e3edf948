// The published types, as compilers and editors see them. `package.test.ts` does the same with the packed package, in all ways there are.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { declarations } from '../../scripts/declarations.mjs'
import { compilers, faultsOf, inNode, inPage, library, makeConsumer, page, strict } from './consumer.ts'

const consumer = mkdtempSync(join(tmpdir(), 'cairn-types-'))
const pageFile = join(consumer, 'page.ts')

beforeAll(() => {
  makeConsumer(consumer)
  const installed = join(consumer, 'node_modules/agent-cairn')
  const types = join(installed, 'dist/types')
  mkdirSync(types, { recursive: true })
  copyFileSync('package.json', join(installed, 'package.json'))
  for (const [name, text] of Object.entries(declarations())) writeFileSync(join(types, name), text)
  writeFileSync(pageFile, page)
  writeFileSync(join(consumer, 'library.ts'), library)
  writeFileSync(
    join(consumer, 'documented.ts'),
    /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/client.md', 'utf8'))?.[1] ?? '',
  )
})

afterAll(() => rmSync(consumer, { recursive: true, force: true }))

/** An editor with the page open, and its TypeScript 5.9. */
const editor = ts.createLanguageService({
  getCompilationSettings: () => {
    const options = { ...strict, ...inPage, module: 'nodenext', exactOptionalPropertyTypes: true }
    return ts.convertCompilerOptionsFromJson(options, consumer).options
  },
  getScriptFileNames: () => [pageFile],
  getScriptVersion: () => '1',
  getScriptSnapshot: (file) => {
    const text = ts.sys.readFile(file)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  readFile: ts.sys.readFile,
  fileExists: ts.sys.fileExists,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  getCurrentDirectory: () => consumer,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
})

/** What it shows where the mouse is on a word of the page, found by what begins there: the type, and what is said of it. */
function shown(at: string): [string, string] {
  const { displayParts, documentation } = editor.getQuickInfoAtPosition(pageFile, page.indexOf(at)) ?? {}
  return [ts.displayPartsToString(displayParts), ts.displayPartsToString(documentation)]
}

it('an editor shows what an operation does, its input, its answer and what each member means', () => {
  expect(shown('get(input)')).toEqual([
    '(method) StateOperations.get(input: StateGetInput, signal?: AbortSignal): Promise<StateGetAnswer>',
    'Read one key, as it is now or as it was.',
  ])
  expect(shown("key: 'n', session")[1]).toBe('Name of the key.')
  expect(shown('session: undefined')[1]).toBe('The session: its id, slug or name, or the start or end of its id.')
  expect(shown('seq }: FeedEvent')[1]).toBe('Its place in the log of its root.')
})

it('TypeScript 5.9 finds nothing wrong with a page and the two files of types that it reads', () => {
  const program = editor.getProgram() as ts.Program
  expect(ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([])
  const files = program.getSourceFiles().filter((file) => !program.isSourceFileDefaultLibrary(file))
  const types = 'node_modules/agent-cairn/dist/types'
  expect(files.map(({ fileName }) => relative(realpathSync(consumer), realpathSync(fileName))).sort()).toEqual([
    join(types, 'client.d.ts'),
    join(types, 'index.d.ts'),
    'page.ts',
  ])
})

it('TypeScript 7 finds nothing wrong with them, with the library or with what the page on the client shows', () => {
  const [nodenext, bundler] = [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]
  const faults = (file: string, options: object) =>
    faultsOf(compilers['TypeScript 7'], consumer, file, { ...options, noEmit: true })
  expect(faults('library.ts', { ...nodenext, ...inNode })).toBe('')
  expect(faults('documented.ts', { ...nodenext, ...inPage })).toBe('')
  expect(faults('page.ts', { ...bundler, ...inPage, exactOptionalPropertyTypes: true })).toBe('')
})
