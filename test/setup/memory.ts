// Stores of an ordinary run are in memory: what a disk does is the same in every run, and waiting for it takes as long as the
// tests themselves. Every call to sync is made all the same. A long run, or one where TMPDIR is given, uses the disk.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A run has never held a fifth of this at once. */
const bytesMin = 4 * 1024 ** 3
/** No run takes so long: what is older was left by one that was killed. */
const leftMsMin = 24 * 60 * 60 * 1000

export default function setup(): (() => void) | undefined {
  if (process.env.CAIRN_LONG !== undefined || process.env.TMPDIR !== undefined || !hasRoom()) return undefined
  removeLeft()
  const folder = mkdtempSync(join(memory, 'cairn-tests-'))
  // The account that runs Postgres has to enter it.
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (mayExecute(folder)) process.env.TMPDIR = folder
  return remove
}

/** Some tests build what they run. */
function mayExecute(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(program).status === 0
}

/** Containers often have a few megabytes there. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= bytesMin
  } catch {
    return false
  }
}

function removeLeft(): void {
  for (const name of readdirSync(memory)) {
    const path = join(memory, name)
    if (!name.startsWith('cairn-tests-') || Date.now() - statSync(path).mtimeMs < leftMsMin) continue
    rmSync(path, { recursive: true, force: true })
  }
}
