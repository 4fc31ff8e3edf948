// A data folder for the tests of a file: the library is open on it in this process, and a server where one is wanted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Cairn, openCairn } from '../../src/open.ts'
import type { Serving } from '../../src/serve.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { serveHere } from '../setup/serve-here.ts'

/** Where a server is, and the token of its owner or of somebody else. */
export interface Address {
  readonly url: string
  readonly token: string
}

export interface Place {
  readonly sandbox: Sandbox
  readonly cairn: Cairn
  /** Only where one was asked for. */
  readonly server: Address
  newRoot(): Promise<string>
}

export function place(options: { served: boolean }): () => Place {
  const sandbox = new Sandbox()
  let [cairn, serving]: [Cairn | undefined, Serving | undefined] = [undefined, undefined]
  beforeAll(async () => {
    if (options.served) serving = await serveHere({ home: sandbox.home, port: 0 })
    cairn = await openCairn({ home: sandbox.home })
  })
  afterAll(async () => {
    await serving?.stop()
    await cairn?.close()
    sandbox.remove()
  })
  return () => {
    if (cairn === undefined) throw new Error('a place is there only while tests run')
    const { session } = cairn
    const address = serving && { url: serving.discovered.url, token: tokenIn(sandbox.home) }
    const newRoot = async () => (await session.create({ topic: 'a test' })).session_id
    return { sandbox, cairn, server: address as Address, newRoot }
  }
}

function tokenIn(home: string): string {
  return readFileSync(join(home, 'token'), 'utf8').trim()
}
