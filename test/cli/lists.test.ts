import { describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

/** The cells of a table as people see it, by the names of its columns. */
function cellsOf(table: string): Record<string, string>[] {
  const [head = '', ...lines] = table.trimEnd().split('\n')
  const names = head.split(/ {2,}/)
  return lines.map((line) =>
    Object.fromEntries(
      line
        .trim()
        .split(/ {2,}/)
        .map((cell, at) => [names[at] ?? '', cell]),
    ),
  )
}

const short = (id: string) => id.slice(-8)

describe('lists for people', () => {
  it('ls shows open roots, ls -a ended ones too, and UPDATED is what last happened in them', async () => {
    const open = await cairn.session('Open')
    const ended = await cairn.session('Ended')
    await cairn.answer(['session', 'end', ended])
    const ids = async (...flags: string[]) => cellsOf((await cairn.run(['ls', ...flags])).out).map(({ ID }) => ID)
    expect(await ids()).toEqual([short(open)])
    expect((await ids('-a')).sort()).toEqual([short(open), short(ended)].sort())
    const { updated_at } = await cairn.answer(['state', 'set', 'k', '1', '--session', open])
    const { sessions } = await cairn.answer(['ls'])
    expect(sessions).toMatchObject([{ session_id: open, last_event_at: updated_at }])
    expect(sessions[0].updated_at < updated_at).toBe(true)
  })

  it('name who wrote by the name of the session, not by its id', async () => {
    const session = await cairn.session('Names')
    const child = await cairn.answer(['session', 'create', 'Child', '--parent', session, '--name', 'lexer'])
    await cairn.answer(['state', 'set', 'k', '1', '--session', child.session_id])
    for (const words of [['log'], ['state', 'ls'], ['state', 'events'], ['state', 'history', 'k']]) {
      const { out } = await cairn.run([...words, '--session', session])
      expect([words, cellsOf(out).some(({ BY }) => BY === 'lexer')]).toEqual([words, true])
      expect(out).not.toContain(child.session_id)
    }
  })

  it('state events goes by the sequence number that every other answer has', async () => {
    const on = ['--session', await cairn.session('Events')]
    const first = await cairn.answer(['state', 'set', 'a', '1', ...on])
    const second = await cairn.answer(['state', 'set', 'b', '1', ...on])
    const shown = cellsOf((await cairn.run(['state', 'events', '--since', String(first.seq), ...on])).out)
    expect(shown).toMatchObject([{ SEQ: String(second.seq), VERSION: '2', KEY: 'b' }])
    const { events } = await cairn.answer(['state', 'events', '--since-version', '1', ...on])
    expect(events).toMatchObject([{ key: 'b', root_seq: second.seq }])
  })
})

it('session end without an id needs one where nobody can be asked, and ends nothing', async () => {
  const session = await cairn.session('Stays')
  const { err, exit } = await cairn.run(['session', 'end'], { env: { AGENT_SESSION_ID: session } })
  expect([err, exit]).toEqual([expect.stringMatching(/^error: ID is missing/), 2])
  expect((await cairn.answer(['show', session])).status).toBe('running')
})
