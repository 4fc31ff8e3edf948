import { hostHere, isGone, ownProcess } from './process-life.ts'

/** How a process is named to those that find it holding a lease, so that they can tell whether it is still there. */
export function holderHere(what: string): string {
  const { host, boot, space, pid, started } = ownProcess()
  return `${what} on ${host}, process ${pid} (${started} ${boot} ${space})`
}

const form = /^(.+?) on (.+), process (\d+) \((\d*) (\S+) (\S*)\)$/

/** The machine of a holder that was named so. */
export function hostOfHolder(holder: string): string | undefined {
  return form.exec(holder)?.[2]
}

/** Whether a holder was a process of this machine that is certainly gone. */
export function isHolderGone(holder: string): boolean {
  const [, , host = '', pid, started = '', boot = '', space = ''] = form.exec(holder) ?? []
  if (pid === undefined || host !== hostHere()) return false
  return isGone({ host, pid: Number(pid), started, boot, space })
}
