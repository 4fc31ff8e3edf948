import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { names } from '../layout.ts'

/** What the files of a folder looked like: a folder that looks the same is not read again. */
interface Looks {
  readonly [name: string]: readonly [size: number, changed: number, ino: number]
}

/** Of folders only their own entries count. */
export function looksOf(dir: string): string {
  const looks: Record<string, Looks[string]> = {}
  const look = (name: string) => {
    const found = lstatSync(join(dir, name), { throwIfNoEntry: false })
    if (found !== undefined) looks[name] = [found.size, found.mtimeMs, found.ino]
  }
  for (const name of [names.state, names.log, ...mirrorNames(dir).map((name) => join(names.log, name))]) look(name)
  return JSON.stringify(looks)
}

/** Whether it looks as it did, asking for nothing but what was there then. */
export function looksLike(dir: string, seen: string | null): boolean {
  if (seen === null) return false
  return Object.entries(JSON.parse(seen) as Looks).every(([name, [size, changed, ino]]) => {
    const found = lstatSync(join(dir, name), { throwIfNoEntry: false })
    return found?.size === size && found.mtimeMs === changed && found.ino === ino
  })
}

export function mirrorNames(dir: string): string[] {
  try {
    return readdirSync(join(dir, names.log))
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
  } catch {
    return []
  }
}
