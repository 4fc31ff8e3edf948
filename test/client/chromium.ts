// A real browser: an installed Chromium, else the one that comes as a package.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const installed = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** It knows nobody and calls nobody. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser, or why there is none: a machine may lack the libraries it needs. */
export async function startBrowser(): Promise<Browser | string> {
  const reasons: string[] = []
  const found = installed.filter((path) => path !== undefined && existsSync(path))
  for (const path of [...found, undefined]) {
    try {
      return await launch(path)
    } catch (error) {
      reasons.push(`${path ?? 'the package'}: ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`)
    }
  }
  return reasons.join('; ')
}

function launch(path: string | undefined): Promise<Browser> {
  return chromium.launch({ executablePath: path ?? packaged(), args })
}

const unpacked = resolve('node_modules/.cache/cairn/chromium')

/** The browser of the package, which unpacks itself into the folder of temporary files: here into one that stays for the next run. */
function packaged(): string {
  const program = join(unpacked, 'chromium')
  if (existsSync(program)) return program
  mkdirSync(dirname(unpacked), { recursive: true })
  const own = mkdtempSync(`${unpacked}-`)
  execFileSync(process.execPath, ['test/client/unpack-chromium.mjs'], { env: { ...process.env, TMPDIR: own } })
  try {
    renameSync(own, unpacked)
  } catch {
    // Another process was faster.
    rmSync(own, { recursive: true })
  }
  return program
}
