import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { bootTime } from '../clock.ts'
import type { ProcessIdentity } from '../domain/sessions/tables.ts'

/** Whether there may be a process with this pid; one of another user is one. */
export function mayRun(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A process, and when it was started: what tells it from a later one that was given the same pid; absent where the system does not say. */
export interface Living {
  readonly pid: number
  readonly life?: string | undefined
}

export function isAlive({ pid, life }: Living): boolean {
  return mayRun(pid) && life === lifeOf(pid)
}

/** When the machine and the process on it were started, as far as the system says. */
export function lifeOf(pid: number): string | undefined {
  const started = startOf(pid)
  return started === undefined || started === 'ended' ? started : `${bootTime().boot} ${started}`
}

/** A process as `/proc` shows it. */
export interface ProcessSeen {
  readonly pid: number
  readonly parent: number
  /** The process group, and the session of the terminal. */
  readonly group: number
  readonly session: number
  /** One letter: R, S, D run; T stands still; Z and X have ended. */
  readonly state: string
  /** When it was started, counted from the start of the machine. */
  readonly started: string
}

/** The process with this pid, or undefined where there is none. Throws where the look itself fails. */
export function statOf(pid: number): ProcessSeen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may hold anything; the start is the 20th field after it.
    const [state = '', parent, group, session, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const started = fields[15] ?? ''
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), state, started }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

/** When a process was started, counted from the start of the machine; undefined where the system does not say. */
export function startOf(pid: number): string | undefined {
  try {
    const seen = statOf(pid)
    return seen?.state === 'Z' ? 'ended' : seen?.started
  } catch {
    return undefined
  }
}

export const hostHere = (): string => hostname() || 'unknown'

/** This very process, as others can tell it from all that come after it. */
export function ownProcess(): ProcessIdentity {
  const { pid } = process
  return { host: hostHere(), boot: bootTime().boot, space: spaceHere(), pid, started: startOf(pid) ?? '' }
}

/**
 * Whether a process of this host is certainly gone: its machine was started anew, or there is none with its pid, or another one. In
 * another space of pids, such as a container or a sandbox, nobody here can tell.
 */
export function isGone({ boot, space, pid, started }: ProcessIdentity): boolean {
  if (boot !== bootTime().boot) return true
  if (space !== spaceHere()) return false
  if (!mayRun(pid)) return true
  const now = startOf(pid)
  return now !== undefined && started !== '' && now !== started
}

/** The space that pids count in here: a container has one of its own. */
export function spaceHere(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
