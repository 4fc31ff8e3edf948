// What the tests of trouble have in common: a store on any address, and what every refusal must be like.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { type Cairn, type OpenOptions, openCairn, openLog } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'

/** A data folder that goes with the test. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'cairn-trouble-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Closed when the test ends, if it is not before. */
export async function openAt(store: string, options: OpenOptions = {}): Promise<Cairn> {
  const cairn = await openCairn({ home: newHome(), ...options, store })
  onTestFinished(() => cairn.close())
  return cairn
}

/** A root, and a library that means it. */
export async function rootAt(store: string): Promise<{ cairn: Cairn; session: string }> {
  const maker = await openAt(store)
  const { session_id: session } = await maker.session.create({ topic: 'trouble' })
  return { cairn: await openAt(store, { session }), session }
}

/** Nothing of the database's own words reaches a user. */
export function expectReadable(message: string): void {
  expect(message).not.toMatch(/\b[0-9][0-9A-Z]{4}\b|SQLSTATE|\n\s+at |node_modules|undefined/)
}

export async function refusedReadably(answering: Promise<unknown>): Promise<CairnRefusal> {
  const refusal = await refused(answering)
  expectReadable(refusal.message)
  expectReadable(refusal.hint)
  return refusal
}

/** What in the store is not as its log says. */
export async function problemsAt(store: string): Promise<unknown[]> {
  const { log } = await openLog({ home: newHome(), store })
  return log.verify().finally(() => log.close())
}

/** The same address with other parts; parameters of the driver can be set behind the `?`. */
export function changed(url: string, parts: Partial<Record<'host' | 'password' | 'username' | 'pathname', string>>) {
  return Object.assign(new URL(url), parts).href
}

export function withParameters(url: string, parameters: Readonly<Record<string, number>>): string {
  const own = new URL(url)
  for (const [name, value] of Object.entries(parameters)) own.searchParams.set(name, String(value))
  return own.href
}
