// Writes docs/cli.md, the reference of the command line, from the definitions of the operations.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Builds what is built no longer as the sources say, then asks the program itself. */
function referenceText() {
  const run = (/** @type {string[]} */ ...args) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  run('scripts/setup.mjs')
  const { status, stdout, stderr } = run('bin/cairn', 'help', '--markdown')
  if (status !== 0) throw new Error(stderr)
  return stdout
}

writeFileSync(join(root, 'docs/cli.md'), referenceText())
