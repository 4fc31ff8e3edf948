// Makes the working copy ready to run: installs what package-lock.json names and builds dist/, each only when needed.
// Uses Node's own modules only, since it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildWanted } from './stamp.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installStamp = join(root, 'node_modules/.cairn-stamp')
const buildStamp = join(root, 'dist/.stamp')
const lock = join(root, '.setup-lock')

/** A lock whose owner has not even written its process id by then was left behind. */
const lockOwnerlessMsMax = 5_000

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function installWanted() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  return `${hash.digest('hex')} node${process.versions.node.split('.')[0]} ${process.platform}-${process.arch}\n`
}

function install() {
  const wanted = installWanted()
  if (textOf(installStamp) === wanted) return
  process.stderr.write('installing dependencies…\n')
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command = 'npm', ...first] = npm
  const args = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn']
  const run = spawnSync(command, args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  if (run.status !== 0) {
    process.stderr.write(`${run.stdout ?? ''}${run.stderr ?? ''}${run.error ?? ''}\nnpm ci failed\n`)
    process.exit(1)
  }
  writeFileSync(installStamp, wanted)
}

async function build() {
  if (textOf(buildStamp) === buildWanted()) return
  const { build } = await import('./build.mjs')
  await build()
}

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

function lockIsStale() {
  const owner = Number(textOf(join(lock, 'pid')))
  if (owner) return !alive(owner)
  try {
    return Date.now() - statSync(lock).mtimeMs > lockOwnerlessMsMax
  } catch {
    return false
  }
}

async function withLock(/** @type {() => Promise<void>} */ body) {
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      if (lockIsStale()) rmSync(lock, { recursive: true, force: true })
      else await sleep(100)
    }
  }
  process.once('exit', () => rmSync(lock, { recursive: true, force: true }))
  writeFileSync(join(lock, 'pid'), String(process.pid))
  await body()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const toBuild = !process.argv.includes('--no-build')
  const ready = textOf(installStamp) === installWanted() && (!toBuild || textOf(buildStamp) === buildWanted())
  if (!ready) {
    await withLock(async () => {
      install()
      if (toBuild) await build()
    })
  }
}
