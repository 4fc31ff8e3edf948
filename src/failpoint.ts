/**
 * Places where a test can stop the program, and faults it can plant, to see that the checks catch them. Both are off
 * unless named by an environment variable of the process: `CAIRN_FAILPOINT=commit:kill@3` kills it at the third commit;
 * `CAIRN_FAULT=skip-cas` plants that fault.
 */
type Point =
  | 'begin'
  | 'append'
  | 'project'
  | 'commit'
  | 'answer'
  | 'announce'
  | 'migrate'
  | 'index'
  | 'fork'
  | 'adopt'
  | 'chunk'
  | 'setup-file'
  | 'tree-branch'
  | 'tree-add'
  | 'tree-fill'
  | 'run-intent'
  | 'run-spawn'
  | 'run-identity'
  | 'run-exit'
  | 'run-stop'
type Fault =
  | 'ack-before-commit'
  | 'skip-cas'
  | 'drop-event'
  | 'double-apply'
  | 'drop-notify'
  | 'reorder-feed'
  | 'skip-fence'
  | 'wrong-segment'
  | 'skip-past'

interface Armed {
  point: string
  action: string
  /** Fires at this hit, counted from 1. */
  hit: number
}

function parse(text: string | undefined): Armed | undefined {
  const [, point, action, hit] = /^([a-z-]+):(kill|throw|stop)(?:@(\d+))?$/.exec(text ?? '') ?? []
  return point && action ? { point, action, hit: Number(hit ?? 1) } : undefined
}

const armed = parse(process.env.CAIRN_FAILPOINT)
const planted = process.env.CAIRN_FAULT
let hits = 0

export function failpoint(point: Point): void {
  if (armed === undefined || armed.point !== point) return
  hits += 1
  if (hits !== armed.hit) return
  if (armed.action === 'throw') throw new Error(`failpoint ${point}`)
  process.kill(process.pid, armed.action === 'kill' ? 'SIGKILL' : 'SIGSTOP')
  // The signal is delivered while this process waits; nothing may run after a kill.
  if (armed.action === 'kill') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

export function isPlanted(fault: Fault): boolean {
  return planted === fault
}
