// Reads what strace wrote and tells which acknowledgements were given before their data were on disk.

/** The system calls that matter; `-y` shows the path of each file descriptor. */
export const TRACED = ['-y', '-s', '64', '-e', 'trace=write,pwrite64,fsync,fdatasync'] as const

interface SystemCall {
  readonly name: string
  readonly path: string
  readonly written: string
  /** The lines at which it began and ended. */
  readonly began: number
  readonly ended: number
}

const CALL = /^(\d+) +(\w+)\(\d+<([^>]*)>(?:, "((?:[^"\\]|\\.)*)")?/

/** In the order in which they ended; one that other threads interrupted takes two lines. */
function systemCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = []
  const open = new Map<string, SystemCall>()
  for (const [at, line] of trace.split('\n').entries()) {
    const resumed = /^(\d+) +<\.\.\. (\w+) resumed>/.exec(line)
    const started = resumed ? open.get(`${resumed[1]} ${resumed[2]}`) : undefined
    if (started) calls.push({ ...started, ended: at })
    const [, thread, name, path, written = ''] = CALL.exec(line) ?? []
    if (thread === undefined || name === undefined || path === undefined) continue
    const call = { name, path, written, began: at, ended: at }
    if (line.endsWith('<unfinished ...>')) open.set(`${thread} ${name}`, call)
    else calls.push(call)
  }
  return calls
}

export interface Verdict {
  readonly acks: number
  /** What was acknowledged and not yet on disk. */
  readonly early: string[]
}

/**
 * An acknowledgement is late enough when its write reached the write-ahead log after it was asked for, and a sync of that
 * log that began after the last byte had ended.
 */
export function judge(trace: string): Verdict {
  const asked = new Map<string, number>()
  const early: string[] = []
  let acks = 0
  let lastWrite = -1
  let syncBegan = -1
  for (const { name, path, written, began, ended } of systemCalls(trace)) {
    if (path.endsWith('-wal')) {
      if (name === 'pwrite64' || name === 'write') lastWrite = ended
      else syncBegan = began
      continue
    }
    const [, word, id = ''] = /^(ask|ack) ([\d.]+)\\n$/.exec(name === 'write' ? written : '') ?? []
    if (word === 'ask') asked.set(id, began)
    if (word !== 'ack') continue
    acks += 1
    const reached = lastWrite > (asked.get(id) ?? Number.POSITIVE_INFINITY)
    if (!reached || syncBegan < lastWrite) early.push(id)
  }
  return { acks, early }
}
