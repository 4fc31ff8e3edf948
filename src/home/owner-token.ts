import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { newSecret } from '../clock.ts'
import { installId, readToken, tokenText } from '../domain/access/token.ts'
import { CairnRefusal, type Refusal, refuse } from '../domain/log/refusal.ts'
import type { InstallToken } from '../log/access/tokens.ts'

interface Seen {
  /** What the file looked like from outside when it was read. */
  readonly stamp: string
  readonly text: string
  readonly hash: string
}

/**
 * The token of the owner of a data folder: whoever can read the file owns the store. It is made when it is first asked for,
 * and read again whenever it has changed, so that another one counts at once. Where it was and is no more, the folder was taken away:
 * nobody gets a new one in its place. Throws refusals.
 */
export class InstallTokenFile implements InstallToken {
  readonly path: string
  readonly #home: string
  #seen: Seen | undefined

  constructor(home: string) {
    this.#home = home
    this.path = join(home, 'token')
  }

  /** The token itself. */
  text(): string {
    return this.#present().text
  }

  /** The hash of its secret. */
  hash(): string {
    return this.#present().hash
  }

  replace(text: string): void {
    this.#makeHome()
    this.#write(text, renameSync)
  }

  #present(): Seen {
    const stamp = this.#stamp() ?? this.#first()
    if (this.#seen?.stamp === stamp) return this.#seen
    this.#refuseOpenFolder()
    const text = this.#touching(() => readFileSync(this.path, 'utf8').trim())
    const read = readToken(text)
    if (read?.id !== installId) throw new CairnRefusal(this.#unreadable('holds no token'))
    this.#seen = { stamp, text, hash: read.hash }
    return this.#seen
  }

  /** Undefined where there is no file. What others can read is no secret any more. */
  #stamp(): string | undefined {
    const found = this.#touching(() => statSync(this.path, { throwIfNoEntry: false }))
    if (found === undefined) return undefined
    const { mode, uid, ino, mtimeMs, ctimeMs } = found
    this.#refuseForeign(uid)
    if ((mode & 0o077) === 0) return `${ino} ${mtimeMs} ${ctimeMs}`
    const hint = `Run chmod 600 ${this.path}, then cairn token rotate install: others may have read it.`
    throw new CairnRefusal(refuse('storage_error', `${this.path} can be read by others.`, hint, { path: this.path }))
  }

  #refuseForeign(uid: number): void {
    const own = process.getuid?.() ?? uid
    if (uid === own) return
    const message = `${this.path} belongs to another user (${uid}).`
    const hint = `Run chown ${own} ${this.path} if the store is yours, or set CAIRN_HOME to a folder of your own.`
    throw new CairnRefusal(refuse('storage_error', message, hint, { path: this.path }))
  }

  /** Whoever can write to the folder can put a token of their own in the place of this one. */
  #refuseOpenFolder(): void {
    const mode = this.#touching(() => statSync(this.#home, { throwIfNoEntry: false })?.mode ?? 0)
    if ((mode & 0o022) === 0) return
    const message = `Others can write to the data folder ${this.#home}.`
    throw new CairnRefusal(refuse('storage_error', message, `Run chmod 700 ${this.#home}.`, { path: this.#home }))
  }

  /** A folder that was there and was taken away is not made anew. */
  #makeHome(): void {
    if (this.#seen === undefined) this.#touching(() => mkdirSync(this.#home, { recursive: true, mode: 0o700 }))
  }

  #first(): string {
    if (this.#seen === undefined) return this.#make()
    const message = `The file of the owner's token, ${this.path}, is missing.`
    const hint = 'Put the data folder back where it was; the token is not created again.'
    throw new CairnRefusal(refuse('storage_error', message, hint, { path: this.path }))
  }

  /** If another process makes it at the same time, one of the two files stays. */
  #make(): string {
    this.#makeHome()
    this.#write(tokenText(installId, newSecret()), (from, to) => {
      try {
        linkSync(from, to)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      rmSync(from)
    })
    const stamp = this.#stamp()
    if (stamp === undefined) throw new CairnRefusal(this.#unreadable('was taken away'))
    return stamp
  }

  /** Under another name first: whoever reads the right one finds a whole token, for its owner only. */
  #write(text: string, place: (from: string, to: string) => void): void {
    this.#touching(() => {
      const temporary = `${this.path}.${process.pid}`
      rmSync(temporary, { force: true })
      const file = openSync(temporary, 'wx', 0o600)
      try {
        writeFileSync(file, `${text}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      place(temporary, this.path)
      const folder = openSync(this.#home, 'r')
      fsyncSync(folder)
      closeSync(folder)
    })
  }

  #touching<Out>(touch: () => Out): Out {
    try {
      return touch()
    } catch (error) {
      throw new CairnRefusal(
        this.#unreadable(`cannot be used (${(error as NodeJS.ErrnoException).code ?? 'an error'})`),
      )
    }
  }

  #unreadable(what: string): Refusal {
    const hint = 'Check who owns it; cairn token rotate install writes a new one.'
    return refuse('storage_error', `The file of the owner's token, ${this.path}, ${what}.`, hint, { path: this.path })
  }
}
