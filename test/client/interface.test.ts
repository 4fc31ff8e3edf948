// The client and the library are one interface.
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { table } from '../../src/client/generated/table.ts'
import { openCairn } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { sandbox } from '../cli/sandbox.ts'

const cairn = sandbox()

type Same<A, B> = [A, B] extends [B, A] ? true : false

/** Does not compile when one of them can be asked what the other cannot. */
const isSame: Same<ReturnType<typeof connect>, Awaited<ReturnType<typeof openCairn>>> = true

function methodsOf(made: object): string[] {
  return Object.entries(made).flatMap(([name, member]) =>
    typeof member === 'function' ? [name] : Object.keys(member).map((verb) => `${name}.${verb}`),
  )
}

it('S0-27 has the methods of the library', async () => {
  const library = await openCairn({ home: cairn.home })
  onTestFinished(() => library.close())
  expect(isSame).toBe(true)
  expect(methodsOf(connect({ url: 'http://127.0.0.1:1', token: 't' }))).toEqual(methodsOf(library))
})

it('knows the operations as they are defined', () => {
  const known = Object.values(table).flatMap((verbs) => Object.values(verbs))
  const defined = Object.values(operations).flatMap((verbs) => Object.values<AnyOperation>(verbs))
  expect(known.map(({ name, kind }) => `${name} ${kind}`)).toEqual(defined.map(({ name, kind }) => `${name} ${kind}`))
})

it('U15 every change can be named, and nothing else has a name', () => {
  const defined = Object.values(operations).flatMap((verbs) => Object.values<AnyOperation>(verbs))
  for (const { name, kind, input } of defined) expect('request_id' in input.members, name).toBe(kind === 'change')
})
