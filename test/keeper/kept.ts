// Servers in the background with their keepers, each with a data folder of its own; both are gone when a test has ended.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Keeper, keeperOf } from '../../src/home/keeper-file.ts'
import { mayRun, startOf } from '../../src/home/process-life.ts'
import { type Document, type RunOptions, Sandbox } from '../cli/sandbox.ts'
import type { TestStore } from '../setup/stores.ts'

/** On a busy machine a server is late as well; what is tested here is not how long a keeper waits. */
const usual = { CAIRN_LIMIT_LAG_MS: '600000', CAIRN_LIMIT_RESTART_MS: '10' }
/** Long enough that nothing is started again by itself. */
export const never = { CAIRN_LIMIT_RESTART_MS: '60000' }

export class Kept {
  readonly cairn = new Sandbox()
  readonly env: Record<string, string>

  constructor(env: Record<string, string> = {}, store?: TestStore) {
    const place = store?.options.store === undefined ? {} : { CAIRN_STORE: store.options.store }
    this.env = { ...usual, ...place, ...env }
    onTestFinished(async () => {
      const { keeper } = this
      if (keeper !== undefined) process.kill(keeper.pid, 'SIGCONT')
      await this.cairn.run(['down'])
      if (keeper !== undefined) await untilGone(keeper.pid)
      this.cairn.remove()
    })
  }

  get home(): string {
    return this.cairn.home
  }

  /** The living keeper. */
  get keeper(): Keeper | undefined {
    return keeperOf(this.home)
  }

  get keeperPid(): number {
    return this.keeper?.pid ?? Number.NaN
  }

  /** What the server last said of itself. */
  get server(): Document {
    return JSON.parse(readFileSync(join(this.home, 'server.json'), 'utf8'))
  }

  get token(): string {
    return readFileSync(join(this.home, 'token'), 'utf8').trim()
  }

  /** A command of the owner. */
  answer(args: readonly string[], options: RunOptions = {}): Promise<Document> {
    return this.cairn.answer(args, { ...options, env: { ...this.env, ...options.env } })
  }

  up(...more: string[]): Promise<Document> {
    return this.answer(['up', '--port', '0', ...more])
  }

  /** What its keeper said, oldest first. */
  said(pattern: RegExp): string[] {
    const log = join(this.home, 'server.log')
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
    return lines.flatMap((line) => {
      if (!line.includes('"event":"keeper"')) return []
      const { message } = JSON.parse(line)
      return pattern.test(message) ? [message as string] : []
    })
  }

  async untilSaid(pattern: RegExp, times = 1): Promise<string[]> {
    await expect.poll(() => this.said(pattern).length).toBeGreaterThanOrEqual(times)
    return this.said(pattern)
  }

  /** Ends the server and gives the one that comes after it. */
  async untilBackFrom(signal: NodeJS.Signals): Promise<Document> {
    const times = this.said(/^The server serves again/).length
    process.kill(this.server.pid, signal)
    await this.untilSaid(/^The server serves again/, times + 1)
    return this.server
  }

  /** What makes a command one of an agent: its token, and where the server is. */
  async agent(session: string): Promise<Record<string, string>> {
    const { token } = await this.answer(['token', 'create', 'agent', '--session', session])
    return { CAIRN_TOKEN: token, CAIRN_URL: this.server.url, CAIRN_SERVER_FILE: join(this.home, 'server.json') }
  }
}

/** What has ended may still have a pid, until somebody has asked how. */
export const runs = (pid: number) => mayRun(pid) && startOf(pid) !== 'ended'

export async function untilGone(pid: number): Promise<void> {
  await expect.poll(() => runs(pid)).toBe(false)
}
