// Other programs that keep data, where they are installed.
import { spawn, spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './scenario.ts'

/** Why a program cannot be run here, or nothing. */
export function missingTool(name: string): string | undefined {
  return spawnSync(name, ['--version']).status === 0 ? undefined : `${name} is not installed`
}

/** Starts a program and waits until it answers; it ends with the scenario. */
export async function startTool(context: Context, name: string, args: string[], answers: () => Promise<unknown>) {
  const child = spawn(name, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  context.atEnd(() => {
    child.kill('SIGTERM')
    return ended
  })
  for (const end = performance.now() + 20_000; performance.now() < end; await sleep(100)) {
    if (child.exitCode !== null) break
    const isUp = await answers().then(
      () => true,
      () => false,
    )
    if (isUp) return
  }
  throw new Error(`${name} does not answer`)
}

/** A port that was free a moment ago, for programs that cannot choose one themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
