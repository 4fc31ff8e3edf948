import { createHash } from 'node:crypto'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'

/** The bytes as they come; what has another hash in the end was damaged. */
async function* checked(content: ReadableStream<Uint8Array>, hash: string): AsyncGenerator<Uint8Array, void> {
  const found = createHash('sha256')
  for await (const piece of content as unknown as AsyncIterable<Uint8Array>) {
    found.update(piece)
    yield piece
  }
  if (found.digest('hex') === hash) return
  const hint = 'Get it again; `cairn doctor` checks the store.'
  throw new CairnRefusal(refuse('storage_error', 'The bytes received do not match this hash.', hint, { hash }))
}

/** On standard output, no faster than they are taken. A reader that has seen enough is no fault of ours. */
export async function writeOut(content: ReadableStream<Uint8Array>, hash: string): Promise<void> {
  // Each write is told what became of it; without a listener it would also end the program.
  process.stdout.on('error', () => undefined)
  for await (const piece of checked(content, hash)) if (!(await isTaken(piece))) return
}

function isTaken(piece: Uint8Array): Promise<boolean> {
  return new Promise((done) => process.stdout.write(piece, (error) => done(!error)))
}

/** In a file that is there whole or not at all: the bytes come into a folder beside it first. */
export async function keepIn(file: string, content: ReadableStream<Uint8Array>, hash: string): Promise<void> {
  try {
    const folder = await mkdtemp(join(dirname(file), '.cairn-blob-'))
    try {
      const received = join(folder, hash)
      const handle = await open(received, 'wx')
      try {
        for await (const piece of checked(content, hash)) await handle.writeFile(piece)
      } finally {
        await handle.close()
      }
      await rename(received, file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // What was not there, or came damaged, is told as it is.
    if (error instanceof CairnRefusal || !isOfFiles(code)) throw error
    const message = `${file} cannot be written (${code}).`
    throw new CairnRefusal(refuse('invalid_input', message, 'Name a file in a folder that you can write to.'))
  }
}

function isOfFiles(code: string | undefined): boolean {
  return code !== undefined && /^E[A-Z]+$/.test(code)
}
