// A clock of the wall that is off by hours and jumps, for processes that are started with it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { resolve } from 'node:path'

const source = 'test/setup/shifted-clock.c'

/** The shim, built for this machine, where the next run finds it; without a compiler, why not. */
export type ShiftedClock = { readonly path: string } | { readonly missing: string }

let built: ShiftedClock | undefined

export function shiftedClock(): ShiftedClock {
  built ??= build()
  return built
}

function build(): ShiftedClock {
  if (process.platform !== 'linux') return { missing: 'the clock is shifted with LD_PRELOAD, which is of Linux' }
  const folder = resolve('node_modules/.cache/cairn')
  const path = `${folder}/shifted-clock.so`
  const own = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true })
    const args = ['-shared', '-fPIC', '-O1', '-o', own, source, '-ldl']
    execFileSync(process.env.CC ?? 'cc', args, { stdio: 'pipe' })
    // Another process may have it loaded: it keeps what it has.
    renameSync(own, path)
    return { path }
  } catch (error) {
    return { missing: `there is no C compiler that builds the clock: ${String(error).split('\n')[0]}` }
  }
}

/** The environment of a process whose clock is off by so many seconds, now in one direction and now in the other. */
export function shiftedBy(seconds: number, { path }: { readonly path: string }): Record<string, string> {
  return { LD_PRELOAD: path, CLOCK_SHIFT: String(seconds) }
}
