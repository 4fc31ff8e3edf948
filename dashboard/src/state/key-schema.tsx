import { streams } from '../../../src/domain/log/tables.ts'
import type { Json } from '../../../src/json/value.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { JsonTree } from '../parts/json-tree.tsx'

interface Schema {
  readonly target: string
  readonly prefix: boolean
  readonly schema: Json
}

/** What the values of this key must look like, if anybody said so. */
export function KeySchema({ name }: { name: string }) {
  const { root, at, rows } = useMoment()
  const version = at ?? rows?.get(streams, 'schema')?.version ?? 0
  const { answer } = useAsked(`${root} schemas ${at === undefined} ${version}`, () =>
    cairn.schema.list({ session: root, ...(at === undefined ? {} : { at }) }),
  )
  const all = (answer?.schemas ?? []) as readonly Schema[]
  const own = all.filter(({ target, prefix }) => (prefix ? name.startsWith(target) : name === target))
  if (own.length === 0) return null
  return (
    <section>
      <h3>Schema</h3>
      {own.map(({ target, prefix, schema }) => (
        <div key={`${target} ${prefix}`}>
          {prefix && <p className="faint">of all keys that begin with {target}</p>}
          <JsonTree value={schema} />
        </div>
      ))}
    </section>
  )
}
