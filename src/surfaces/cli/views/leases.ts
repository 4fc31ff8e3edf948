import type { Json } from '../../../json/value.ts'
import { safe } from '../output.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { until, type View } from './view.ts'

type Shown = { readonly [name: string]: Json }

function heldText({ held, holder, expires_at: at }: Shown): string {
  if (held !== true) return holder === null ? 'released' : 'expired'
  return typeof at === 'string' ? `${until(at)} (${at})` : ''
}

export const leaseTable: View = ({ leases }, terminal) => {
  const rows = leases as Shown[]
  if (rows.length === 0) return 'No leases.\n'
  return table<Shown>(
    [
      { title: 'NAME', cell: ({ name }) => String(name), flexible: true, style: () => 'bold' },
      { title: 'HOLDER', cell: ({ holder }) => String(holder ?? '–'), flexible: true },
      {
        title: 'HELD',
        cell: ({ held }) => (held === true ? 'yes' : 'no'),
        style: ({ held }) => (held === true ? 'green' : 'dim'),
      },
      { title: 'UNTIL', cell: heldText },
      { title: 'EPOCH', cell: ({ epoch }) => String(epoch), right: true },
    ],
    rows,
    terminal,
  )
}

const leaseNamed = ({ key, name }: { key?: Json; name?: Json }, terminal: Terminal) =>
  terminal.paint('bold', safe(String(key ?? name)))

export const extended: View = (answer, terminal) => {
  const { expires_at: at } = answer
  return `${leaseNamed(answer, terminal)} is held until ${at} (${until(String(at))})\n`
}

export const released: View = (answer, terminal) => `${leaseNamed(answer, terminal)} is released\n`

/** With what to write under it: a claim that nobody names in a write holds nobody back. */
export const claimed: View = ({ key, name, token, expires_at: at }, terminal) => {
  const lease = key === undefined ? String(name) : `key/${key}`
  const fence = safe(`--fence ${lease}:${token}`)
  const shown = terminal.paint('bold', safe(String(key ?? name)))
  return `${shown} is claimed until ${at} (${until(String(at))})\ntoken  ${token}\n${terminal.paint('dim', `to write only while it is held: ${fence}`)}\n`
}
