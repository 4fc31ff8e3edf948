import { elapsed, sleep } from '../../clock.ts'
import { failpoint } from '../../failpoint.ts'
import type { ProcessSeen } from '../../home/process-life.ts'
import { membersOf } from './members.ts'
import type { RunFolder, ShimProcess } from './run-folder.ts'

/** Between two looks at processes that were sent a signal. */
const lookMs = 20
/** A tree that starts new processes faster than they can be stopped is left to grow: the next look finds it. */
const roundsMax = 50
/** How long an agent may take to end by itself once nothing more is to come on its input. */
const inputGraceMs = 2000
/** What was killed is gone at once, unless it waits for a disk: then nobody can do more. */
const killedMsMax = 10_000

/** Sends a signal to processes that were just seen; one that has ended since is as good. */
function send(members: readonly ProcessSeen[], signal: NodeJS.Signals): void {
  for (const { pid } of members) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

const isStill = ({ state }: ProcessSeen) => /^[Tt]/.test(state)

/** All processes of the run stand still when it returns, also those that left its group and those that were started meanwhile. */
export async function freeze(run: string, shim: ShimProcess | undefined): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const moving = membersOf(run, shim).filter((member) => !isStill(member))
    if (moving.length === 0) return
    send(moving, 'SIGSTOP')
    await sleep(lookMs)
  }
}

export async function thaw(run: string, shim: ShimProcess | undefined): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const still = membersOf(run, shim).filter(isStill)
    if (still.length === 0) return
    send(still, 'SIGCONT')
    await sleep(lookMs)
  }
}

/** What Ctrl-C does in a terminal. */
export function interrupt(run: string, shim: ShimProcess | undefined): void {
  send(
    membersOf(run, shim).filter(({ group }) => group === shim?.pid),
    'SIGINT',
  )
}

/**
 * Ends all processes of a run: end of its input where it has one, SIGTERM, a time of grace, SIGKILL; then whatever carries its mark, such
 * as a daemon of its own session. Nothing of it runs when it returns true.
 */
export async function endProcesses(
  folder: RunFolder,
  shim: ShimProcess | undefined,
  graceMs: number,
): Promise<boolean> {
  const { run } = folder
  const members = () => membersOf(run, shim)
  const goneWithin = async (ms: number) => {
    const until = elapsed() + ms
    while (members().length > 0) {
      if (elapsed() >= until) return false
      await sleep(lookMs)
    }
    return true
  }
  if (endInput(folder, shim) && (await goneWithin(inputGraceMs))) return true
  const asked = members()
  send(asked, 'SIGTERM')
  // What stands still hears of no signal but the one that kills.
  send(asked, 'SIGCONT')
  failpoint('run-stop')
  if (await goneWithin(graceMs)) return true
  const until = elapsed() + killedMsMax
  for (let left = members(); left.length > 0; left = members()) {
    if (elapsed() >= until) return false
    // The shim is there to record how its program ended.
    const others = left.filter(({ pid }) => pid !== shim?.pid)
    send(others.length > 0 ? others : left, 'SIGKILL')
    await sleep(lookMs)
  }
  return true
}

/** The program finds the end of its input once nobody holds the other end any more. False where it has no such input. */
function endInput({ run, heldBy }: RunFolder, shim: ShimProcess | undefined): boolean {
  const holders = membersOf(run, shim).filter(({ pid, group }) => pid === heldBy && group === shim?.pid)
  send(holders, 'SIGKILL')
  return holders.length > 0
}
