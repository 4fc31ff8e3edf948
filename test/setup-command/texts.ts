// Configurations as people write them: any layout, comments anywhere, every notation.
import * as fc from 'fast-check'

const comments = ['// one', '// "a": {', '/* two */', '/* { , */', '// ü 漢']

interface Style {
  readonly newline: string
  readonly unit: string
  readonly isOneLine: boolean
  readonly comments: boolean
  readonly trailing: boolean
  /** Drawn from as the text is written. */
  readonly dice: readonly number[]
}

type Tree = string | number | boolean | null | Tree[] | Map<string, Tree>

const scalar = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null))

const { tree } = fc.letrec<{ tree: Tree; list: Tree[]; members: Map<string, Tree> }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, scalar, tie('list'), tie('members')),
  list: fc.array(tie('tree'), { maxLength: 3 }),
  members: membersOf(tie('tree')),
}))

function membersOf(value: fc.Arbitrary<Tree>): fc.Arbitrary<Map<string, Tree>> {
  const name = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('a', 'b c', 'cairn2', 'mcpServers2'))
  return fc
    .uniqueArray(fc.tuple(name, value), { maxLength: 3, selector: ([key]) => key })
    .map((pairs) => new Map(pairs.filter(([key]) => key !== '__proto__')))
}

function style(withComments: boolean): fc.Arbitrary<Style> {
  return fc.record({
    newline: fc.constantFrom('\n', '\r\n'),
    unit: fc.constantFrom('  ', '    ', '\t'),
    isOneLine: fc.boolean(),
    comments: fc.constant(withComments),
    trailing: withComments ? fc.boolean() : fc.constant(false),
    dice: fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }),
  })
}

/** Writes a document in a style. */
class Writer {
  readonly #style: Style
  #thrown = 0

  constructor(chosen: Style) {
    this.#style = chosen
  }

  shown(value: Tree, indent = ''): string {
    if (Array.isArray(value))
      return this.#around(
        '[',
        ']',
        value.map((item) => [undefined, item]),
        indent,
      )
    if (value instanceof Map) return this.#around('{', '}', [...value], indent)
    return JSON.stringify(value)
  }

  #around(open: string, close: string, items: [string | undefined, Tree][], indent: string): string {
    const { newline, unit, isOneLine, trailing } = this.#style
    const inner = indent + unit
    const before = isOneLine ? this.#gap('') : `${this.#comment(newline + inner)}${newline}${inner}`
    const shown = items.map(([key, value], at) => {
      const comma = at < items.length - 1 || trailing ? ',' : ''
      const name = key === undefined ? '' : `${JSON.stringify(key)}${this.#gap(':')}`
      return `${before}${name}${this.shown(value, inner)}${this.#gap(comma)}`
    })
    const rest = isOneLine
      ? this.#gap('')
      : `${this.#comment(newline + inner)}${items.length > 0 ? newline + indent : ''}`
    return `${open}${shown.join('')}${rest}${close}`
  }

  #throw(): number {
    return this.#style.dice[this.#thrown++ % this.#style.dice.length] ?? 0
  }

  /** A line of comment, ended by the line break that follows. */
  #comment(before: string): string {
    const thrown = this.#throw()
    if (!this.#style.comments || thrown > 4) return ''
    return `${before}${comments[thrown]}${before}`
  }

  /** A word, perhaps with space or a comment around it. */
  #gap(word: string): string {
    const thrown = this.#throw()
    if (thrown < 2 && this.#style.comments) return `/* ${thrown} */${word} /*,*/ `
    return thrown < 5 ? `${word} ` : word
  }
}

/** A document whose `servers` is absent, empty or holds servers. */
export function anyJson(servers: string, withComments: boolean): fc.Arbitrary<string> {
  const known = fc.option(membersOf(membersOf(tree)), { nil: undefined })
  const shape = fc.record({ before: membersOf(tree), known, after: membersOf(tree), style: style(withComments) })
  const edges = fc.tuple(fc.constantFrom('', '\ufeff', ' '), fc.constantFrom('', '\n', '\r\n\n'))
  return fc.tuple(shape, edges).map(([{ before, known: found, after, style: chosen }, [start, end]]) => {
    const middle: [string, Tree][] = found === undefined ? [] : [[servers, found]]
    const own = [...before, ...middle, ...[...after].filter(([key]) => !before.has(key))]
    return `${start}${new Writer(chosen).shown(new Map(own))}${end}`
  })
}

const values = ['1', '0x0f', 'true', '"a # b"', "'c'", '1979-05-27T07:32:00Z', '[1, 2]', '[\n  "x", # in\n  "y",\n]']
const longer = ['"""\nlong\n[not.a.table]\n"""', "'''\n# none\n'''", '{ x = 1, "y z" = [1] }', '{}', '1_000.5e3']
const lines = ['', '# note', '   ', '# [mcp_servers.no]', '\t# tab']

/** TOML of any tables; every key and table is there once. */
export const anyToml: fc.Arbitrary<string> = fc
  .record({
    newline: fc.constantFrom('\n', '\r\n'),
    sections: fc.array(
      fc.record({
        header: fc.constantFrom(
          '[t#]',
          '[[list]]',
          '[mcp_servers.s#]',
          '[ mcp_servers . "s #" ]',
          '[mcp_servers.s#.env]',
        ),
        note: fc.constantFrom('', ' # note'),
        body: fc.array(
          fc.record({
            key: fc.constantFrom('k#', '"k #"', 'd#.e.f', "'q#'"),
            value: fc.constantFrom(...values, ...longer),
            before: fc.constantFrom(...lines),
            hasLine: fc.boolean(),
            indent: fc.constantFrom('', '  '),
          }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 4 },
    ),
    end: fc.constantFrom('', '\n', '\n\n', '\n# end', '\n# end\n'),
  })
  .map(({ newline, sections, end }) => {
    let count = 0
    const numbered = (text: string) => text.replaceAll('#', () => String(++count))
    const all = sections.flatMap(({ header, note, body }, at) => [
      ...(at === 0 ? [] : [numbered(header) + note]),
      ...body.flatMap(({ key, value, before, hasLine, indent }) => [
        ...(hasLine ? [before] : []),
        `${indent}${numbered(key)} = ${value}`,
      ]),
    ])
    return (all.join('\n') + end).replaceAll('\n', newline)
  })
