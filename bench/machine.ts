import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { Bare } from './bare.ts'

export interface Machine {
  readonly cores: number
  readonly cpu: string
  readonly memory_gb: number
  readonly system: string
  readonly node: string
  readonly sqlite: string
}

export function machine(): Machine {
  const all = cpus()
  return {
    cores: all.length,
    cpu: all[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite: sqliteVersion(),
  }
}

function sqliteVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  const bare = Bare.create(join(folder, 'version.db'))
  const version = bare.sqliteVersion()
  bare.close()
  rmSync(folder, { recursive: true })
  return version
}

/** The commit that was measured; with a mark when files differ from it. */
export function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  try {
    return (
      git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--', 'src', 'migrations') && '+changes')
    )
  } catch {
    return 'unknown'
  }
}
