import { serverIn } from './discovery.ts'
import { isLoopback } from './loopback.ts'

/**
 * Where an agent finds its server: at the address that it was given, or at the one that the file of the server names, once nobody
 * took a connection at the first, or the server there has died and that other one says that it replaces it.
 */
export class ServerOfAgent {
  readonly #given: string
  readonly #file: string | undefined
  #isLost = false

  constructor(given: string, file: string | undefined) {
    this.#given = given
    this.#file = file
  }

  /** A token is sent nowhere but to this machine in clear text, and there only to a server that the user's own file names. */
  get url(): string {
    if (this.#file === undefined || !isHere(this.#given)) return this.#given
    const named = serverIn(this.#file)
    if (named === undefined || !isHere(named.url)) return this.#given
    const { replaces } = named
    const isReplaced = Array.isArray(replaces) && replaces.some((url) => isSame(url, this.#given))
    return this.#isLost || isReplaced ? named.url : this.#given
  }

  /** Nobody took a connection there, or it broke off. Whatever is answered is no reason to look elsewhere. */
  lost(url: string): void {
    if (isSame(url, this.#given)) this.#isLost = true
  }
}

function isHere(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

function isSame(url: unknown, other: string): boolean {
  return hrefOf(url) === hrefOf(other)
}

function hrefOf(url: unknown): string {
  return URL.canParse(String(url)) ? new URL(String(url)).href.replace(/\/$/, '') : ''
}
