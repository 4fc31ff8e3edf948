import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { refuse } from '../domain/log/refusal.ts'

/**
 * Reads a file of a folder that anybody may have filled: a link is not followed, a pipe not waited for, and what is longer than it can be
 * is not read. Undefined where there is none; throws a refusal.
 */
export async function readPlain(path: string, bytesMax: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    (error: unknown) => {
      const { code = 'an error' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return undefined
      if (code === 'ELOOP') throw notPlain(path, 'is a link')
      throw refuse('storage_error', `${path} cannot be read (${code}).`, 'Check who owns it.', { path })
    },
  )
  if (file === undefined) return undefined
  try {
    const found = await file.stat()
    if (!found.isFile()) throw notPlain(path, 'is no plain file')
    if (found.size > bytesMax) {
      const hint = 'Nothing of it was read.'
      throw refuse(
        'payload_too_large',
        `${path} has ${found.size} bytes, more than the ${bytesMax} it may have.`,
        hint,
        { path },
      )
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}

function notPlain(path: string, what: string) {
  return refuse('forbidden', `${path} ${what}.`, 'Put a plain file in its place. It was not read.', { path })
}
