// Runs a TypeScript file: node scripts/run-ts.mjs FILE [ARGUMENTS…]
// The file is bundled beside the installed packages, so import.meta.url does not point at the source:
// what it runs finds the project by the current folder, which is set to the project's root.
import { rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [file, ...rest] = process.argv.slice(2)
if (!file) {
  process.stderr.write('usage: node scripts/run-ts.mjs FILE [ARGUMENTS…]\n')
  process.exit(2)
}

const source = resolve(file)
const name = source
  .slice(root.length + 1)
  .replace(/[\\/]/g, '-')
  .replace(/\.ts$/, '')
const bundled = join(root, 'node_modules/.cache/cairn', `${name}.${process.pid}.mjs`)

try {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: bundled,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    loader: { '.sql': 'text' },
    sourcemap: 'inline',
    logLevel: 'warning',
  })
} catch {
  process.exit(1) // esbuild has printed what is wrong
}

process.once('exit', () => rmSync(bundled, { force: true }))
process.chdir(root)
process.argv = [process.argv[0] ?? 'node', source, ...rest]
process.setSourceMapsEnabled(true)
await import(pathToFileURL(bundled).href)
