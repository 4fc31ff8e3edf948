import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Logins by their ids, each with the time until which it would count. */
type Until = Readonly<Record<string, number>>

/** More logins than anybody ends in half a day; beyond it those that end first are forgotten first. */
const revokedMax = 10_000

/**
 * Logins of browsers that were ended before their time. What a browser holds is signed and nowhere kept, so it is those that are over
 * which are: in a file, so that a server that is started again knows them too. Others that use the data folder see it at once.
 */
export class RevokedLogins {
  readonly #path: string
  #stamp = ''
  #until: Until = {}

  constructor(home: string) {
    this.#path = join(home, 'revoked-logins.json')
  }

  has(id: string): boolean {
    return Object.hasOwn(this.#read(), id)
  }

  add(id: string, until: number, now: number): void {
    const kept = Object.entries({ ...this.#read(), [id]: until }).filter(([, time]) => time > now)
    const newest = kept.sort(([, a], [, b]) => a - b).slice(-revokedMax)
    const temporary = `${this.#path}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(newest)), { mode: 0o600 })
    renameSync(temporary, this.#path)
  }

  #read(): Until {
    const found = statSync(this.#path, { throwIfNoEntry: false })
    const stamp = found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
    if (stamp === this.#stamp) return this.#until
    this.#until = found === undefined ? {} : (JSON.parse(readFileSync(this.#path, 'utf8')) as Until)
    this.#stamp = stamp
    return this.#until
  }
}
