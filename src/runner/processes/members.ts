import type { ProcessSeen } from '../../home/process-life.ts'
import { allProcesses, isMarked, processOf } from './process-table.ts'
import type { ShimProcess } from './run-folder.ts'

/** Whether the process is still there; an error while looking is thrown, and says nothing. */
export function isShimAlive({ pid, started }: ShimProcess): boolean {
  return processOf(pid)?.started === started
}

/** Whether anything is left of the group that the shim led. Its number is given to no other process for as long as that is so. */
export function isGroupAlive({ pid }: ShimProcess): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * All processes of a run: the group of its shim, what they have started, and whatever carries its mark, in whichever group or session it
 * is now. None of them is older than the shim: a mark or a number that a stranger has by accident makes it no member.
 */
export function membersOf(run: string, shim: ShimProcess | undefined): ProcessSeen[] {
  const all = allProcesses().filter((seen) => seen.pid !== process.pid && !isOlder(seen, shim))
  const leader = all.find(({ pid }) => pid === shim?.pid)
  const isLed = leader !== undefined && leader.started === shim?.started
  const found = new Set<ProcessSeen>()
  for (const seen of all) {
    const isInGroup = shim !== undefined && (seen.group === shim.pid || seen.session === shim.pid)
    const marked = isInGroup && isLed ? true : isMarked(seen.pid, run)
    // While something is left of its group no other can have its number; once nothing was, a stranger may.
    if (marked ?? (isInGroup && leader === undefined)) found.add(seen)
  }
  addDescendants(all, found)
  return [...found]
}

function addDescendants(all: readonly ProcessSeen[], found: Set<ProcessSeen>): void {
  const byParent = new Map<number, ProcessSeen[]>()
  for (const seen of all) byParent.set(seen.parent, [...(byParent.get(seen.parent) ?? []), seen])
  // A set is gone through with what is added meanwhile.
  for (const { pid } of found) for (const child of byParent.get(pid) ?? []) found.add(child)
}

/** Where start times are numbers they can be compared. */
function isOlder({ started }: ProcessSeen, shim: ShimProcess | undefined): boolean {
  return shim !== undefined && Number(started) < Number(shim.started)
}
