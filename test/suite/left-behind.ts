// What a run leaves: processes that know its folder by their environment or stand in it, and what lies in it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whoever was told to end has this long to be gone. */
const endingMsMax = 10_000
const lookMs = 100

export interface LeftProcess {
  readonly pid: number
  readonly command: string
}

/** Processes of the run in that folder, once those that are ending have ended. Where there is no /proc, none can be told. */
export async function processesLeft(folder: string): Promise<LeftProcess[]> {
  for (let waited = 0; ; waited += lookMs) {
    const left = processesOf(folder)
    if (left.length === 0 || waited >= endingMsMax) return left
    await sleep(lookMs)
  }
}

function processesOf(folder: string): LeftProcess[] {
  return pids().flatMap((pid) => {
    try {
      const isOfRun =
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder) ||
        readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return isOfRun ? [{ pid, command }] : []
    } catch {
      // It has ended, or is somebody else's.
      return []
    }
  })
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid)
  } catch {
    return []
  }
}
