import { safe } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { until, type ViewOf } from './view.ts'

type Shown = AnswerOf<'lease.list'>['leases'][number]

function heldText({ held, holder, expires_at: at }: Shown): string {
  if (!held) return holder === null ? 'released' : 'expired'
  return at === null ? '' : `${until(at)} (${at})`
}

export const leaseTable: ViewOf<'lease.list'> = ({ leases }, terminal) => {
  if (leases.length === 0) return 'No leases.\n'
  return table<Shown>(
    [
      { title: 'NAME', cell: ({ name }) => name, flexible: true, style: () => 'bold' },
      { title: 'HOLDER', cell: ({ holder }) => holder ?? '–', flexible: true },
      {
        title: 'HELD',
        cell: ({ held }) => (held ? 'yes' : 'no'),
        style: ({ held }) => (held ? 'green' : 'dim'),
      },
      { title: 'UNTIL', cell: heldText },
      { title: 'EPOCH', cell: ({ epoch }) => String(epoch), right: true },
    ],
    leases,
    terminal,
  )
}

/** A claim of a key is a lease that is known by it. */
const nameOf = (answer: { key: string } | { name: string }) => ('key' in answer ? answer.key : answer.name)

const leaseNamed = (answer: Parameters<typeof nameOf>[0], terminal: Terminal) =>
  terminal.paint('bold', safe(nameOf(answer)))

export const extended: ViewOf<'state.heartbeat' | 'lease.heartbeat'> = (answer, terminal) => {
  const { expires_at: at } = answer
  return `${leaseNamed(answer, terminal)} is held until ${at} (${until(at)})\n`
}

export const released: ViewOf<'state.release' | 'lease.release'> = (answer, terminal) =>
  `${leaseNamed(answer, terminal)} is released\n`

/** With what to write under it: a claim that nobody names in a write holds nobody back. */
export const claimed: ViewOf<'state.claim' | 'lease.claim'> = (answer, terminal) => {
  const { token, expires_at: at } = answer
  const fence = safe(`--fence ${'key' in answer ? `key/${answer.key}` : answer.name}:${token}`)
  const note = terminal.paint('dim', `to write only while it is held: ${fence}`)
  return `${leaseNamed(answer, terminal)} is claimed until ${at} (${until(at)})\ntoken  ${token}\n${note}\n`
}
