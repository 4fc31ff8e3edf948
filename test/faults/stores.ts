// Stores in files, and what can be seen of them afterwards.
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { type Cairn, openCairn, openLog } from '../../src/open.ts'
import type { Said } from './children.ts'

/** A folder that goes with the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What a backup says, as a store in a folder of its own. */
export async function lookInto(backup: string): Promise<Seen> {
  const home = newFolder()
  cpSync(backup, join(home, 'cairn.db'))
  chmodSync(join(home, 'cairn.db'), 0o600)
  return look(home)
}

export interface Seen {
  /** Of each session its state with all versions, and of each root its whole log. */
  readonly data: Record<string, unknown>
  readonly checks: readonly { name: string; ok: boolean; detail: string }[]
  readonly problems: readonly unknown[]
}

/** Everything that the program shows of a store, and what it finds wrong with it. */
export async function look(home: string): Promise<Seen> {
  return { ...(await examine(home)), data: await contents(home) }
}

export async function examine(home: string): Promise<Omit<Seen, 'data'>> {
  const { log } = await openLog({ home })
  const problems = await log.verify().finally(() => log.close())
  // As a command looks, in its own thread: to start one for each of hundreds of small stores takes longer than to look.
  const cairn = await openCairn({ home, waits: 'blocking' })
  const { checks } = await cairn.store.doctor({}).finally(() => cairn.close())
  return { checks: checks as Seen['checks'], problems }
}

export async function contents(home: string): Promise<Seen['data']> {
  const cairn = await openCairn({ home })
  try {
    const data: Record<string, unknown> = {}
    const { sessions } = await cairn.session.list({ all: true, limit: 1000 })
    for (const each of sessions) {
      const session = each.session_id
      const keys = await stateOf(cairn, session)
      const log = await cairn.log.list({ session, limit: 1000 })
      const values: Record<string, unknown> = {}
      for (const key of Object.keys(keys.state)) values[key] = await cairn.state.get({ session, key })
      data[session] = { each, keys, log, values }
    }
    return data
  } finally {
    await cairn.close()
  }
}

/** A session that was made and not written to has no state yet. */
async function stateOf(cairn: Cairn, session: string): Promise<{ state: Record<string, unknown> }> {
  return cairn.state.all({ session }).catch((error: unknown) => {
    if (error instanceof CairnRefusal && error.code === 'state_not_found') return { state: {} }
    throw error
  })
}

/** The store is sound, what was answered is there, and what was refused is not. */
export async function expectSound(home: string, { acked, refused, raw, root }: Said, what: string): Promise<void> {
  const { checks, problems } = await look(home)
  expect(
    checks.filter(({ ok }) => !ok),
    what,
  ).toEqual([])
  expect(problems, what).toEqual([])
  expect(raw, what).toEqual([])
  if (root === undefined) return
  const cairn = await openCairn({ home })
  const { state } = await stateOf(cairn, root).finally(() => cairn.close())
  const there = state
  const list = (there.list ?? []) as number[]
  const isThere = (id: string) => {
    const [kind, turn = ''] = id.split('.')
    if (kind === '3') return [there[`set/${turn}`] !== undefined]
    if (kind === '4') return [list.filter((item) => item === Number(turn)).length === 1]
    return [there[`a/${turn}`] !== undefined, there[`b/${turn}`] !== undefined]
  }
  const writes = (id: string) => /^[345]\./.test(id)
  const lost = acked.filter((id) => writes(id) && isThere(id).includes(false))
  const known = refused.filter(({ code }) => code !== 'outcome_unknown').map(({ id }) => id)
  const made = known.filter((id) => writes(id) && isThere(id).includes(true))
  expect({ lost, made }, what).toEqual({ lost: [], made: [] })
  for (let turn = 0; turn < list.length; turn++) expect(new Set(isThere(`5.${turn}`)).size, what).toBe(1)
}
