import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime } from '../../domain/log/identity.ts'
import type { Refusal } from '../../domain/log/refusal.ts'

/** Puts a file aside that cannot be taken for what it is to be, with the reason beside it; nothing in it is lost. */
export function setAside(dir: string, name: string, { code, message, hint }: Refusal, at: number): string {
  const stamp = isoTime(at).replace(/[:.]/g, '-')
  let aside = `${name}.rejected-${stamp}`
  for (let count = 2; existsSync(join(dir, aside)); count++) aside = `${name}.rejected-${stamp}-${count}`
  renameSync(join(dir, name), join(dir, aside))
  writeFileSync(join(dir, `${aside}.why`), `${code}: ${message}\n${hint}\n`, { flag: 'wx' })
  return aside
}

/** What lies there set aside. */
export function asideIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.includes('.rejected-') && !name.endsWith('.why'))
  } catch {
    return []
  }
}
