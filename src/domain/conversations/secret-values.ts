import type { Json } from '../../json/value.ts'
import { toBase64 } from './base64.ts'
import { type Redacted, redactWith } from './redaction.ts'

/** A secret that is known by its value: a variable of the agent's environment. */
export interface SecretValue {
  readonly name: string
  readonly value: string
}

/** Shorter ones occur in texts by chance, and to replace them would make the texts useless. */
const valueUnitsMin = 8

const secretName = /KEY$|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE_KEY|_PAT$|_PASS$/i
/** These say where a secret is, or how much of something may be used, or hold what everybody may know. */
const otherName =
  /PUBLIC|(?:FILE|PATH|DIR|SOCK|HOME|URL|URI|ENDPOINT|HOST|TYPE|NAME)$|TOKENS$|MAX|LIMIT|BUDGET|EXPIR|TTL/i
/** A word alone is a setting ("required", "keychain"), and would be replaced wherever somebody writes it. */
const word = /^(?:[a-z]{1,16}|[A-Z]{1,16}|[A-Z][a-z]{1,15})$/
/** The path of a file that holds a secret is none. Only well-known folders: what is base64 may begin with a slash too. */
const path =
  /^(?:~|\.{1,2}|[A-Za-z]:|\/(?:home|Users|root|etc|var|run|tmp|opt|usr|mnt|private|secrets|workspace|app|data|srv|dev|nix))[\\/]/
const urlPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]*?:([^/?#@\s]+)@/i

/** The secrets of an environment: what variables that are named like one hold, and passwords in addresses. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): SecretValue[] {
  return Object.entries(environment).flatMap(([name, given = '']) => {
    const whole = given.trim()
    const password = urlPassword.exec(whole)?.[1]
    const isNamed = secretName.test(name) && !otherName.test(name)
    const values = [...(isNamed && !path.test(whole) ? [whole] : []), ...(password === undefined ? [] : [password])]
    return values
      .filter((value) => value.length >= valueUnitsMin && !word.test(value))
      .map((value) => ({ name, value }))
  })
}

/** A value without those of secrets, as they are or as JSON, addresses and base64 write them. */
export function redactValues<T extends Json>(value: T, secrets: readonly SecretValue[]): Redacted<T> {
  const written = secrets.flatMap(spellings).sort((one, other) => other.text.length - one.text.length)
  const known = new Set(secrets.map(({ name }) => name))
  return redactWith(value, (text) => merged(rangesOf(text, written), placeholders(text, known)))
}

/** One way in which a secret is written. */
interface Spelling {
  readonly name: string
  readonly text: string
  /** Base64 that shares its first or its last letter with what stands beside the secret. */
  readonly before?: boolean
  readonly after?: boolean
}

function spellings({ name, value }: SecretValue): Spelling[] {
  if (value === '') return []
  const escaped = JSON.stringify(value).slice(1, -1)
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
  const lower = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  const plain = [value, escaped, JSON.stringify(escaped).slice(1, -1), encoded, lower, encoded.replaceAll('%20', '+')]
  return [
    ...[...new Set(plain)].map((text) => ({ name, text })),
    ...[0, 1, 2].flatMap((at) => base64Of(name, value, at)),
  ]
}

/** Base64 of a secret that begins so many bytes behind a multiple of three: what is the same whatever stands around it. */
function base64Of(name: string, value: string, offset: number): Spelling[] {
  const bytes = new TextEncoder().encode(value)
  const padded = new Uint8Array(offset + bytes.length)
  padded.set(bytes, offset)
  const whole = toBase64(padded).replaceAll('=', '')
  const after = padded.length % 3 !== 0
  const text = whole.slice(offset === 0 ? 0 : offset + 1, after ? -1 : undefined)
  if (text.length < valueUnitsMin) return []
  const inUrls = text.replaceAll('+', '-').replaceAll('/', '_')
  return [...new Set([text, inUrls])].map((each) => ({ name, text: each, before: offset !== 0, after }))
}

interface Range {
  readonly from: number
  readonly to: number
  readonly name: string
}

function rangesOf(text: string, written: readonly Spelling[]): Range[] {
  const ranges: Range[] = []
  for (const { name, text: spelled, before, after } of written) {
    for (let at = text.indexOf(spelled); at >= 0; at = text.indexOf(spelled, at + spelled.length)) {
      const from = before && isLetter(text[at - 1]) ? at - 1 : at
      let to = at + spelled.length
      if (after && isLetter(text[to])) to++
      while (after && text[to] === '=') to++
      ranges.push({ from, to, name })
    }
  }
  return ranges.sort((one, other) => one.from - other.from || other.to - one.to)
}

function isLetter(unit: string | undefined): boolean {
  return unit !== undefined && /[A-Za-z0-9+/_-]/.test(unit)
}

/** What was put in the place of secrets before: their names may be what the value of another is. */
function placeholders(text: string, known: ReadonlySet<string>): Range[] {
  if (!text.includes('[redacted: ')) return []
  const found = text.matchAll(/\[redacted: (?:(?: and )?the value of \$[^\s\]$]+)+\]/g)
  return [...found].flatMap(({ 0: whole, index }) => {
    const names = [...whole.matchAll(/\$([^\s\]$]+)/g)].map(([, name = '']) => name)
    return names.every((name) => known.has(name)) ? [{ from: index, to: index + whole.length, name: '' }] : []
  })
}

/** Ranges that overlap are one, so that nothing is left of either. */
function merged(ranges: readonly Range[], spared: readonly Range[]): { from: number; to: number; what: string }[] {
  const spans: { from: number; to: number; names: Set<string> }[] = []
  let next = 0
  for (const { from, to, name } of ranges) {
    while ((spared[next]?.to ?? Infinity) <= from) next++
    if ((spared[next]?.from ?? Infinity) <= from && to <= (spared[next]?.to ?? 0)) continue
    const last = spans.at(-1)
    if (last === undefined || from >= last.to) spans.push({ from, to, names: new Set([name]) })
    else {
      last.to = Math.max(last.to, to)
      last.names.add(name)
    }
  }
  return spans.map(({ from, to, names }) => ({
    from,
    to,
    what: [...names].map((name) => `the value of $${name}`).join(' and '),
  }))
}
