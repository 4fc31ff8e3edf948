// The editors of JSON and TOML: what they add can be taken out again to the byte, and nothing else is touched.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOf, unwound } from '../../src/surfaces/cli/setup/files/receipt.ts'
import { type Piece, type Work, withoutPieces, withPieces } from '../../src/surfaces/cli/setup/pieces.ts'
import { editorOf, type Syntax } from '../../src/surfaces/cli/setup/syntaxes.ts'
import { TextFault } from '../../src/surfaces/cli/setup/text/text-fault.ts'
import { seedOf } from '../setup/seed.ts'
import { anyJson, anyToml } from './texts.ts'

const entry = { command: 'node', args: ['/bin/cairn', 'mcp'], env: { CAIRN_HOME: '/x "y"' }, alwaysLoad: true }

function entryIn(servers: string): Piece {
  return { kind: 'entry', servers: [servers], name: 'cairn', entry, shared: false }
}

const list: Piece = { kind: 'item', path: ['permissions', 'allow'], item: 'mcp__cairn' }

const cases: { syntax: Syntax; servers: string; more: Piece[]; texts: fc.Arbitrary<string> }[] = [
  { syntax: 'json', servers: 'mcpServers', more: [list], texts: anyJson('mcpServers', false) },
  { syntax: 'jsonc', servers: 'servers', more: [list], texts: anyJson('servers', true) },
  { syntax: 'toml', servers: 'mcp_servers', more: [], texts: anyToml },
]

/** Nothing but white space was taken: comments and the rest are all there, in their order. */
const isAdditionOnly = ({ batches }: Work) => batches.flat().every(({ took }) => took.trim() === '')

const undone = (work: Work) =>
  unwound(work.text, [{ after: hashOf(work.text), batches: work.batches, made: work.made }])

describe.each(cases)('any $syntax', ({ syntax, servers, more, texts }) => {
  const editor = editorOf(syntax)
  const pieces = [entryIn(servers), ...more]
  const assert = (check: (text: string) => void, seed: number) =>
    fc.assert(fc.property(texts, check), { numRuns: process.env.CAIRN_LONG ? 5000 : 400, seed: seedOf(seed) })

  it('gets the entry beside what is there, keeps every comment, and is taken back byte for byte', () => {
    assert((text) => {
      const work = withPieces(text, syntax, pieces)
      expect(editor.at(work.text, [servers, 'cairn'])).toEqual(entry)
      const { text: rest } = withoutPieces(work.text, syntax, pieces, work.made)
      expect(editor.at(rest, [])).toEqual(editor.at(text, []))
      expect(isAdditionOnly(work)).toBe(true)
      expect(undone(work)).toEqual({ text, left: [] })
    }, 11)
  })

  it('is not touched a second time', () => {
    assert((text) => {
      const once = withPieces(text, syntax, pieces)
      expect(withPieces(once.text, syntax, pieces).batches).toEqual([])
    }, 12)
  })

  it('without a receipt loses the entry alone, byte for byte where its container stays', () => {
    assert((text) => {
      const { text: after, made } = withPieces(text, syntax, pieces.slice(0, 1))
      const isExact = syntax === 'toml' ? /\n$|^$/.test(text) : made.length === 0 && hasServers(text)
      const back = withoutPieces(after, syntax, pieces, []).text
      if (isExact) expect(back).toBe(text)
      else expect(editor.at(back, [servers, 'cairn'])).toBeUndefined()
    }, 13)

    function hasServers(text: string): boolean {
      return Object.keys((editor.at(text, [servers]) ?? {}) as object).length > 0
    }
  })

  it('with an edit of somebody else in between loses the entry alone', () => {
    assert((text) => {
      const work = withPieces(text, syntax, pieces)
      const theirs: Piece = { ...entryIn(syntax === 'toml' ? 'other' : 'theirs'), entry: { command: 'x' } } as Piece
      const edited = withPieces(work.text, syntax, [theirs]).text
      const wanted = withPieces(text, syntax, [theirs]).text
      const back = withoutPieces(edited, syntax, pieces, work.made).text
      expect(editor.at(back, [])).toEqual(editor.at(wanted, []))
    }, 14)
  })
})

const faultOf = (syntax: Syntax, text: string, pieces: readonly Piece[]) => {
  try {
    return withPieces(text, syntax, pieces).text
  } catch (error) {
    if (error instanceof TextFault) return { line: error.line, message: error.message, code: error.code }
    throw error
  }
}

describe('what is refused, with its line', () => {
  it.each([
    ['{"a": 1,}', 1],
    ['{"a": 1\n "b": 2}', 2],
    ['{\n// no\n"a": 1}', 2],
    ['{"a": tru}', 1],
    ['{"a": 01}', 1],
    ['{"a": "x\ny"}', 1],
    ['{"a": [1, 2}', 1],
    ['', 1],
    ['[]', 1],
    ['{"mcpServers": []}', 1],
    ['{\n"mcpServers": {},\n"mcpServers": {}}', 3],
    ['{} {}', 1],
    [`${'['.repeat(300)}`, 1],
  ])('JSON %s', (text, line) => {
    expect(faultOf('json', text, [entryIn('mcpServers')])).toMatchObject({ line, code: 'invalid_input' })
  })

  it.each([
    ['a', 1],
    ['a = 1\na = 2', 2],
    ['[a]\nb = 1\n[a]\n', 3],
    ['a = "x\n', 1],
    ['\na = tru', 2],
    ['a = 1 b = 2', 1],
    ['a = [1,\n', 2],
    ['[a', 1],
    ['a.b = 1\n[a]\n', 2],
    ['a = { b = 1\nb = 2 }', 2],
    ['x = "\\q"', 1],
    ['x = 01', 1],
    ['\nmcp_servers = { a = { command = "x" } }\n', 2],
    ['[[mcp_servers]]\nx = 1\n', 1],
  ])('TOML %s', (text, line) => {
    expect(faultOf('toml', text, [entryIn('mcp_servers')])).toMatchObject({ line, code: 'invalid_input' })
  })

  it.each([
    ['json', 'mcpServers', '{"mcpServers": {\n"notes": {"command": "cairn", "args": ["mcp"]}}}'],
    ['json', 'mcpServers', '{"mcpServers": {\n"n": {"command": "npx", "args": ["-y", "agent-cairn@0.1.0", "mcp"]}}}'],
    ['json', 'mcpServers', '{"mcpServers": {\n"n": {"type": "http", "url": "http://127.0.0.1:4747/mcp"}}}'],
    ['json', 'mcpServers', '{"mcpServers": {\n"cairn": {"command": "other", "args": []}}}'],
    ['toml', 'mcp_servers', '# x\n[mcp_servers.notes]\ncommand = "/usr/bin/cairn"\nargs = ["mcp"]\n'],
    ['toml', 'mcp_servers', '[mcp_servers]\nnotes = { command = "cairn", args = ["mcp"] }\n'],
    ['toml', 'mcp_servers', '\n[mcp_servers.cairn]\ncommand = "other"\n'],
  ] as const)('%s with the server under another name, or another server under its name', (syntax, servers, text) => {
    expect(faultOf(syntax, text, [entryIn(servers)])).toMatchObject({ line: 2, code: 'already_exists' })
  })
})

describe('an entry that is there', () => {
  it.each([
    [
      'json',
      'mcpServers',
      '{"mcpServers": {"cairn": {"type": "http", "url": "http://localhost:4747/mcp", "timeout": 5}}}',
      '{"mcpServers": {"cairn": {"timeout": 5, "command": "node", "args": ["/bin/cairn","mcp"], "alwaysLoad": true, "env": {"CAIRN_HOME":"/x \\"y\\""}}}}',
    ],
    [
      'toml',
      'mcp_servers',
      '[mcp_servers.cairn] # mine\ncommand = "cairn" # old\nargs = [\n  "mcp", # it\n]\nenabled = true\n\n[mcp_servers.cairn.env]\nCAIRN_STORE = "s"\nA = "b"\n',
      '[mcp_servers.cairn] # mine\ncommand = "node" # old\nargs = ["/bin/cairn", "mcp"]\nenabled = true\nalwaysLoad = true\n\n[mcp_servers.cairn.env]\nA = "b"\nCAIRN_HOME = "/x \\"y\\""\n',
    ],
    [
      'toml',
      'mcp_servers',
      '[mcp_servers]\ncairn = { command = "cairn", args = ["mcp"], env = { A = "b" } } # mine\n',
      '[mcp_servers]\ncairn = { command = "node", args = ["/bin/cairn", "mcp"], env = { A = "b", CAIRN_HOME = "/x \\"y\\"" }, alwaysLoad = true } # mine\n',
    ],
  ] as const)('%s is made the wanted one, and keeps what is not ours', (syntax, servers, text, wanted) => {
    const work = withPieces(text, syntax, [entryIn(servers)])
    expect(work.text).toBe(wanted)
    expect(undone(work).text).toBe(text)
  })
})
