// Processes below another, by what Linux says of each.
import { readdirSync, readFileSync } from 'node:fs'

interface Seen {
  readonly pid: number
  readonly parent: number
  /** `T` is stopped, `Z` is dead and nobody has asked for it yet. */
  readonly status: string
  readonly command: string
}

function seen(pid: number): Seen | undefined {
  try {
    // The name before these may have any letters, but ends with the last parenthesis.
    const [status = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid, parent: Number(parent), status, command }
  } catch {
    return undefined
  }
}

/** A process and all below it, those above first. */
export function processTree(top: number): Seen[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (seen(Number(name)) ?? []) : []))
  const below = (pid: number): Seen[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)])
  return [...all.filter(({ pid }) => pid === top), ...below(top)]
}

/** Kills them without a last word. */
export function killTree(top: number): void {
  for (const { pid } of processTree(top)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended since.
    }
  }
}
