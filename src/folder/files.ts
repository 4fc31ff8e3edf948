import { constants, type Dirent } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isoTime } from '../domain/log/identity.ts'
import { type Refusal, refuse } from '../domain/log/refusal.ts'
import type { FileListed, FileRead, Slice } from '../operations/store/maintenance-port.ts'
import { names } from './layout.ts'

/** More than a page shows, and than agents should leave there. */
const listedMax = 1000
/** What is of the moment, and nobody's to read. */
const hidden: ReadonlySet<string> = new Set([names.rendered])

/** Files of a folder, without what links lead to. */
export async function listFiles(dir: string): Promise<{ dir: string; files: FileListed[]; truncated: boolean }> {
  const files: FileListed[] = []
  const folders = [dir]
  let truncated = false
  for (let folder = folders.shift(); folder !== undefined && !truncated; folder = folders.shift()) {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      if (!entry.isFile() || hidden.has(entry.name) || entry.name.startsWith(names.lock)) continue
      truncated ||= files.length >= listedMax
      if (truncated) break
      const { size, mtimeMs } = await lstat(path)
      files.push({ path: relative(dir, path), bytes: size, modified_at: isoTime(Math.floor(mtimeMs)) })
    }
  }
  return { dir, files, truncated }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A stretch of a file. No step of its path may be a link: what that leads to is not in the folder. */
export async function readFileIn(dir: string, path: string, { offset, limit }: Slice): Promise<FileRead | Refusal> {
  const steps = path.split('/')
  for (let count = 1; count < steps.length; count++) {
    const found = await lstat(join(dir, ...steps.slice(0, count))).catch(() => undefined)
    if (!found?.isDirectory()) return notThere(path)
  }
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(join(dir, ...steps), flags).catch(() => undefined)
  if (file === undefined) return notThere(path)
  try {
    const found = await file.stat()
    if (!found.isFile()) return notThere(path)
    const buffer = Buffer.alloc(Math.max(0, Math.min(limit, found.size - offset)))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
    const content = buffer.subarray(0, bytesRead)
    const text = textOf(content)
    return {
      path,
      bytes: found.size,
      offset,
      more: offset + bytesRead < found.size,
      ...(text === undefined ? { base64: content.toString('base64') } : { text }),
    }
  } finally {
    await file.close()
  }
}

/** Undefined for bytes that are no text; a store could not keep a NUL, and pages cannot show one. */
function textOf(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function notThere(path: string): Refusal {
  return refuse('not_found', `There is no file ${path} in the folder.`, 'List them with folder.list.', { path })
}
