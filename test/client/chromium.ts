// A real browser: an installed Chromium, else the one that comes as a package.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import packaged from '@sparticuz/chromium'
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

/** Unpacked by whoever needs it first: others wait until it is all there. */
const triesMax = 120

async function launch(path: string | undefined): Promise<Browser> {
  for (let tries = 1; ; tries++) {
    try {
      return await chromium.launch({ executablePath: path ?? (await packaged.executablePath()), args })
    } catch (error) {
      if (tries === triesMax || !/ETXTBSY/.test((error as Error).message)) throw error
      await sleep(500)
    }
  }
}
