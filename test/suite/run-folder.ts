// Where a run keeps what its tests make. It is in memory for an ordinary run: what a disk does is the same in every run, and waiting
// for it takes as long as the tests themselves. Every call to sync is made all the same. A long run, or one where TMPDIR is given,
// uses that disk.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'cairn-tests-'
/** A run has never held a fifth of this at once. */
const bytesMin = 4 * 1024 ** 3
/** No run takes so long: what is older was left by one that was killed. */
const leftMsMin = 24 * 60 * 60 * 1000

export function newRunFolder({ CAIRN_LONG: long, TMPDIR: given } = process.env): string {
  if (long === undefined && given === undefined && hasRoom()) {
    removeLeft()
    const folder = folderIn(memory)
    if (mayExecute(folder)) return folder
    rmSync(folder, { recursive: true })
  }
  return folderIn(tmpdir())
}

function folderIn(place: string): string {
  const folder = mkdtempSync(join(place, prefix))
  // The account that runs Postgres has to enter it.
  chmodSync(folder, 0o755)
  return folder
}

/** Some tests build what they run. */
function mayExecute(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
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
    if (!name.startsWith(prefix) || Date.now() - statSync(path).mtimeMs < leftMsMin) continue
    rmSync(path, { recursive: true, force: true })
  }
}
