import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { type ProcessSeen, statOf } from '../../home/process-life.ts'

/** In its environment a process carries the run that it belongs to, and hands it on to what it starts. */
export const marker = 'CAIRN_RUN_ID'

const hasProc = process.platform === 'linux'

/** What a list of processes may come to. */
const listBytesMax = 64 * 1024 * 1024

/** The process with this pid, or undefined where there is none. Throws where the look itself fails. */
export function processOf(pid: number): ProcessSeen | undefined {
  const seen = hasProc ? statOf(pid) : listed(['-p', String(pid)])[0]
  return seen === undefined || /^[ZX]/.test(seen.state) ? undefined : seen
}

/** All processes that run or stand still. */
export function allProcesses(): ProcessSeen[] {
  if (!hasProc) return listed(['-ax']).filter(({ state }) => !state.startsWith('Z'))
  return readdirSync('/proc').flatMap((name) => {
    const seen = /^\d+$/.test(name) ? unlessFailing(() => processOf(Number(name))) : undefined
    return seen === undefined ? [] : [seen]
  })
}

/** Whether a process carries the mark of a run; undefined where its environment cannot be seen now. */
export function isMarked(pid: number, run: string): boolean | undefined {
  return unlessFailing(() => {
    const environment = hasProc
      ? `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
      : ` ${execFileSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'latin1', maxBuffer: listBytesMax })}`
    // Between fork and exec it has none for a moment.
    if (environment.length <= 1) return undefined
    return environment.includes(`${hasProc ? '\0' : ' '}${marker}=${run}`)
  })
}

/** Elsewhere than on Linux `ps` tells as much, to the second. */
function listed(which: readonly string[]): ProcessSeen[] {
  const columns = ['-o', 'pid=,ppid=,pgid=,sess=,state=,lstart=']
  let text: string
  try {
    text = execFileSync('ps', [...which, ...columns], { encoding: 'latin1', maxBuffer: listBytesMax })
  } catch (error) {
    // It ends with 1 where it found nothing.
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, session, state = '', ...started] = line.trim().split(/\s+/)
    if (!pid) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        state,
        started: started.join(' '),
      },
    ]
  })
}

function unlessFailing<Out>(look: () => Out): Out | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
