import { useState } from 'react'
import type { Json } from '../../../src/json/value.ts'
import { plain, sizeOf } from './text.tsx'

/** So many members are shown at once, so many characters of a text, and so many levels are open at first. */
const membersMax = 100
const charsMax = 500
const moreChars = 20_000
const levelsOpen = 2

export function JsonTree({ value, name, level = 0 }: { value: Json; name?: string; level?: number }) {
  if (typeof value !== 'object' || value === null) return <Leaf value={value} name={name} />
  return <Branch value={value} name={name} level={level} />
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : (
    <>
      <span className="json-name">{plain(name)}</span>
      <span className="faint">: </span>
    </>
  )
}

function Leaf({ value, name }: { value: string | number | boolean | null; name: string | undefined }) {
  const [chars, setChars] = useState(charsMax)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const left = text.length - chars
  return (
    <div className="json-leaf">
      <Name name={name} />
      <span className={`json-${value === null ? 'null' : typeof value}`}>
        {typeof value === 'string' ? `"${plain(text.slice(0, chars))}${left > 0 ? '…' : '"'}` : text}
      </span>
      {left > 0 && (
        <button type="button" className="quiet" onClick={() => setChars(chars + moreChars)}>
          more ({sizeOf(left)})
        </button>
      )}
    </div>
  )
}

type Inner = Json[] | { [member: string]: Json }

function Branch({ value, name, level }: { value: Inner; name: string | undefined; level: number }) {
  const [isOpen, setOpen] = useState(level < levelsOpen)
  const [count, setCount] = useState(membersMax)
  const isList = Array.isArray(value)
  const length = isList ? value.length : Object.keys(value).length
  const size = isList
    ? `${length} ${length === 1 ? 'item' : 'items'}`
    : `${length} ${length === 1 ? 'member' : 'members'}`
  const first = isOpen ? membersOf(value, count) : []
  return (
    <div className="json-branch">
      <button type="button" className="quiet json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <Name name={name} />
        <span className="faint">
          {isList ? '[ ]' : '{ }'} {size}
        </span>
      </button>
      {isOpen && (
        <div className="json-members">
          {first.map(([member, inner]) => (
            <JsonTree key={member} value={inner} name={member} level={level + 1} />
          ))}
          {length > count && (
            <button type="button" className="quiet" onClick={() => setCount(count + membersMax * 5)}>
              {length - count} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function membersOf(value: Inner, count: number): [string, Json][] {
  if (Array.isArray(value)) return value.slice(0, count).map((item, at) => [String(at), item])
  return Object.entries(value).slice(0, count)
}
