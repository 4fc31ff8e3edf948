// A program that puts a blob, to be killed on the way. It says `put` when it was answered.
import { writeSync } from 'node:fs'
import { openCairn } from '../../src/index.ts'
import { bytesOf, inPieces } from './bytes.ts'

export interface Job {
  readonly options: { readonly home: string; readonly store?: string }
  readonly session: string
  readonly length: number
  readonly seed: number
}

const { options, session, length, seed } = JSON.parse(process.argv[2] ?? '{}') as Job
const cairn = await openCairn(options)
await cairn.blob.put({ session, content: inPieces(bytesOf(length, seed), 100_000) })
writeSync(1, 'put')
await cairn.close()
