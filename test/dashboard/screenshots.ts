// Every view of the dashboard at two sizes, light and dark: node scripts/run-ts.mjs test/dashboard/screenshots.ts FOLDER
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '../../src/client/connect.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { startBrowser } from '../client/chromium.ts'
import { demoFlow } from './demo-flow.ts'
import { demoWork } from './demo-work.ts'

const folder = resolve(process.argv[2] ?? 'screenshots')
mkdirSync(folder, { recursive: true })
const home = mkdtempSync(join(tmpdir(), 'cairn-screenshots-'))
const env = { ...process.env, CAIRN_HOME: home }
const server = spawn(process.execPath, ['bin/cairn', 'serve', '--port', '0', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'ignore'],
})
process.on('exit', () => {
  server.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})
const line = await new Promise<string>((done) => server.stdout.once('data', (text) => done(String(text))))
const { url, login } = JSON.parse(line) as { url: string; login: string }
const cairn = connect({ url, token: new InstallTokenFile(home).text(), actor: 'demo' })
const work = await demoWork(cairn)
const flow = await demoFlow(cairn)

const views: Readonly<Record<string, string>> = {
  home: '',
  overview: `s/${flow.root}/overview`,
  state: `s/${work.root}/state?key=findings`,
  past: `s/${work.root}/state?key=config&at=8`,
  timeline: `s/${work.root}/timeline?event=12&from=4&to=17`,
  conversations: `s/${work.root}/conversations`,
  journal: `s/${flow.root}/journal`,
  files: `s/${flow.root}/files`,
  forks: `s/${work.root}/forks`,
  health: 'health',
}

const browser = await startBrowser()
if (typeof browser === 'string') throw new Error(browser)
const context = await browser.newContext()
const page = await context.newPage()
await page.goto(login)
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const [name, path] of Object.entries(views)) {
      await page.goto(`${url}/ui/${path}`)
      await page.getByRole('main').locator('h1').waitFor()
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
    }
  }
}
await browser.close()
await cairn.close()
process.exit(0)
