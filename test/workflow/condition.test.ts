import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { type Condition, holds, keysIn } from '../../src/domain/workflow/condition/condition.ts'
import { parseCondition } from '../../src/domain/workflow/condition/parse.ts'
import { type Json, sameJson } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'

const state: Record<string, Json> = {
  ready: true,
  no: false,
  none: null,
  count: 10,
  half: 0.5,
  zero: 0,
  empty: '',
  name: 'parser',
  'a/b': { c: [1, { d: 'x' }] },
  list: [],
}

function parsed(text: string): Condition {
  const condition = parseCondition(text)
  if (condition instanceof Refusal) throw new Error(`${text}: ${condition.message}`)
  return condition
}

describe('S1-58 conditions of phases', () => {
  it.each([
    ['state.ready', true],
    ['state.ready == true', true],
    ['state.no', false],
    ['state.none', false],
    ['state.zero', false],
    ['state.empty', false],
    ['state.list', true],
    ['state.name == "parser"', true],
    ["state.name == 'parser'", true],
    ['state.name != "parser"', false],
    ['state.name < "q"', true],
    ['state.count > 9', true],
    ['state.count > 9.5 and state.count <= 10', true],
    ['state.count == 10.0', true],
    ['state.count == "10"', false],
    ['state.count < "9"', false],
    ['state.half == 0.50', true],
    ['-1 < state.zero', true],
    ['not state.no', true],
    ['!state.no && !state.zero', true],
    ['not not state.ready', true],
    ['state.no or state.ready and state.no', false],
    ['(state.no or state.ready) and state.ready', true],
    ['state["a/b"].c[0] == 1', true],
    ['state["a/b"].c[1].d == "x"', true],
    ['state["a/b"].c[2]', false],
    ['state["a/b"].c.length', false],
    ['state.name.length', false],
    ['state.missing', false],
    ['state.missing == false', true],
    ['state.missing == true', false],
    ['state.missing < 5', false],
    ['state.missing >= 0', false],
    ['not state.missing', true],
    ['state.constructor', false],
    ['state.ready.constructor.name', false],
    ['state.toString', false],
    ['true', true],
    ['null', false],
    ['1 == 1.0', true],
    ['"a\\"b" == \'a"b\'', true],
  ])('%s is %s', (text, expected) => {
    expect(holds(parsed(text), state)).toBe(expected)
  })

  it.each([
    ['', 1, 'end'],
    ['state', 6, 'end'],
    ['state.', 7, 'end'],
    ['state.ready = true', 13, '"="'],
    ['state.ready == ', 16, 'end'],
    ['ready == true', 1, '"ready"'],
    ['state.a == 1 == 2', 14, '"=="'],
    ['state.a and', 12, 'end'],
    ['(state.a', 9, 'end'],
    ['state.a)', 8, '")"'],
    ['state.a + 1', 9, '"+"'],
    ['state.a.match("x")', 14, '"("'],
    ['fetch("x")', 1, '"fetch"'],
    ['state.name == "x', 15, 'closing quote'],
    ['state[a]', 7, '"a"'],
    ['state[-1]', 7, '"-1"'],
    ['constructor', 1, '"constructor"'],
    ['state.a == 01', 13, '"1"'],
  ])('%j is refused at character %i', (text, character, found) => {
    const refusal = parseCondition(text)
    expect(refusal).toBeInstanceOf(Refusal)
    const { code, message, details } = refusal as Refusal
    expect(code).toBe('invalid_input')
    expect(details.character).toBe(character)
    expect(message).toContain(found)
  })

  it('says how a key is named', () => {
    expect(parseCondition('ready == true')).toMatchObject({ hint: expect.stringContaining('state.ready') })
  })

  it('S1-58 is bounded: a long or deep condition is refused, not worked on', () => {
    expect(parseCondition('x'.repeat(1001))).toBeInstanceOf(Refusal)
    expect(parseCondition(`${'('.repeat(60)}true${')'.repeat(60)}`)).toBeInstanceOf(Refusal)
    expect(parseCondition(`${'not '.repeat(60)}true`)).toBeInstanceOf(Refusal)
    expect(holds(parsed(`${'('.repeat(40)}true${')'.repeat(40)}`), {})).toBe(true)
  })

  it('names the keys that it asks for', () => {
    expect(keysIn(parsed('state.a == 1 and not (state["b c"].d or state.a)'))).toEqual(['a', 'b c', 'a'])
  })

  it('reads an expression as it was written, however deep', () => {
    const leaf = fc.constantFrom<Json>(true, false, null, 0, 1, 2.5, '', 'a', 'b')
    const tree: fc.Memo<Condition> = fc.memo((depth) => {
      const value = leaf.map((each): Condition => ({ kind: 'value', value: each }))
      if (depth <= 1) return value
      const both = fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        left: tree(depth - 1),
        right: tree(depth - 1),
      })
      const compare = fc.record({
        kind: fc.constant('compare' as const),
        by: fc.constantFrom('==' as const, '!=' as const, '<' as const, '>=' as const),
        left: value,
        right: value,
      })
      return fc.oneof(
        value,
        both,
        compare,
        tree(depth - 1).map((of): Condition => ({ kind: 'not', of })),
      )
    })
    fc.assert(
      fc.property(tree(4), (condition) => {
        const again = parsed(written(condition))
        expect(sameJson(again as never, condition as never)).toBe(true)
        expect(typeof holds(again, {})).toBe('boolean')
      }),
      { seed: seedOf(17), numRuns: 300 },
    )
  })

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const read = parseCondition(text)
        if (!(read instanceof Refusal)) holds(read, state)
      }),
      { seed: seedOf(18), numRuns: 500 },
    )
  })
})

function written(condition: Condition): string {
  switch (condition.kind) {
    case 'value':
      return JSON.stringify(condition.value)
    case 'state':
      return `state[${JSON.stringify(condition.key)}]`
    case 'not':
      return `not (${written(condition.of)})`
    case 'compare':
      return `${written(condition.left)} ${condition.by} ${written(condition.right)}`
    default:
      return `(${written(condition.left)}) ${condition.kind} (${written(condition.right)})`
  }
}
