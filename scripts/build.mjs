// Bundles src/ into dist/: index.js (the library) and its chunks; cli.cjs, the program in one file, and keeper.cjs, which waits beside a
// server for as long as that runs; and client.js, one file that runs
// in browsers too.
// The dashboard goes into ui/. With --types it adds the declarations, for those who import from this folder; with --clean it starts from an empty dist/, as for a release.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { canBuildDashboard, dashboardFiles } from './dashboard.mjs'
import { buildWanted } from './stamp.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

/** A program or a page that still runs may load a chunk of the build it came from, so old chunks stay this long. */
const chunkAgeMsMax = 24 * 60 * 60 * 1000

/** @satisfies {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  // Whitespace stays: Node prints the line that an error came from where nobody catches it, and without any that is the whole file.
  minifySyntax: true,
  legalComments: 'none',
  sourcemap: 'external',
  write: false,
  logLevel: 'warning',
}

/** @satisfies {esbuild.BuildOptions} */
const forNode = { ...common, platform: 'node', target: 'node20', packages: 'external', loader: { '.sql': 'text' } }

async function bundle() {
  const library = await esbuild.build({
    ...forNode,
    entryPoints: { index: 'src/index.ts' },
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
  })
  // Node takes longer to find and link modules than to read them: one file that needs no linking saves a seventh of a short command.
  // What a command does not use is not run, whichever file it is in.
  const program = await esbuild.build({
    ...forNode,
    entryPoints: { cli: 'src/surfaces/cli/main.ts', keeper: 'src/surfaces/cli/keeper/main.ts' },
    format: 'cjs',
    // Read at each start, so as short as it can be; in lines, for the same reason.
    minifyWhitespace: true,
    lineLimit: 160,
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'programUrl' },
    supported: { 'dynamic-import': false },
    banner: { js: "const programUrl=require('node:url').pathToFileURL(__filename).href;" },
  })
  for (const file of program.outputFiles) if (file.path.endsWith('.cjs')) file.contents = withHash(file.contents)
  const forAll = await esbuild.build({
    ...common,
    entryPoints: { client: 'src/client/index.ts' },
    platform: 'browser',
    target: ['node20', 'es2022'],
    minifyIdentifiers: true,
  })
  // Chunks first, entries last, each renamed into place: whoever starts meanwhile finds a whole program.
  return [...forAll.outputFiles, ...program.outputFiles, ...library.outputFiles].sort(
    (a, b) => depthOf(b.path) - depthOf(a.path),
  )
}

/**
 * What Node has compiled of a program is kept under the program's hash: see bin/cairn.
 * @param {Uint8Array} contents
 */
function withHash(contents) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  return Buffer.concat([contents, Buffer.from(`//${hash}`)])
}

function removeOldCompiled() {
  for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(join(dist, name), { force: true })
}

/** @param {string} path */
function depthOf(path) {
  return path.split(/[\\/]/).length
}

/** @param {string} path @param {Uint8Array | string} contents */
function put(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`)
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

function removeOldChunks(/** @type {string} */ name, /** @type {Set<string>} */ current) {
  const folder = join(dist, name)
  mkdirSync(folder, { recursive: true })
  for (const each of readdirSync(folder)) {
    const path = join(folder, each)
    if (!current.has(path) && Date.now() - statSync(path).mtimeMs > chunkAgeMsMax) rmSync(path)
  }
}

async function putTypes() {
  const { declarations } = await import('./declarations.mjs')
  rmSync(join(dist, 'types'), { recursive: true, force: true })
  for (const [name, text] of Object.entries(declarations())) put(join(dist, 'types', name), text)
}

export async function build({ types = false, clean = false } = {}) {
  const wanted = buildWanted()
  const withDashboard = clean || canBuildDashboard()
  if (!withDashboard) process.stderr.write('without the dashboard: npm ci installs what it is made of\n')
  const files = [...(await bundle()), ...(withDashboard ? await dashboardFiles() : [])]
  if (clean) rmSync(dist, { recursive: true, force: true })
  for (const file of files) put(file.path, file.contents)
  removeOldCompiled()
  for (const folder of ['chunks', 'ui/assets']) removeOldChunks(folder, new Set(files.map((file) => file.path)))
  if (types) await putTypes()
  put(join(dist, '.stamp'), wanted)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build({ types: process.argv.includes('--types'), clean: process.argv.includes('--clean') })
  } catch (error) {
    if (!(error instanceof Error && 'errors' in error)) throw error
    process.exitCode = 1 // esbuild has printed what is wrong
  }
}
