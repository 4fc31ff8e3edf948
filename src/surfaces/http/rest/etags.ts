import { Refusal, refuse } from '../../../domain/log/refusal.ts'

/** What a request expects of the version of what it is about. */
export type Expected =
  | { readonly kind: 'none' }
  /** `If-Match: *` and `X-If-Match: skip`: whatever is there. */
  | { readonly kind: 'any' }
  | { readonly kind: 'one of'; readonly versions: readonly number[] }
  /** `If-None-Match: *`: only if nothing is there. */
  | { readonly kind: 'nothing' }

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Each version of a list may have to be tried; nobody has seen more than a few. */
const versionsMax = 16

const tag = /^(?:"(?:global_version_)?(\d{1,16})"|(\d{1,16}))$/

export function etag(version: number): string {
  return `"${version}"`
}

/** The versions in a list of ETags, as they are given out, without quotes, or in the older form `"global_version_15"`. */
function versionsOf(header: string, name: string): number[] | Refusal {
  const versions = header.split(',').map((each) => {
    const found = tag.exec(each.trim())
    return Number(found?.[1] ?? found?.[2] ?? Number.NaN)
  })
  if (versions.length <= versionsMax && versions.every((version) => Number.isSafeInteger(version))) return versions
  const hint = `Give the ETag of a response, such as "5", a list of up to ${versionsMax} of them, or *.`
  return refuse('bad_request', `${name} is not a valid ETag: ${header.slice(0, 64)}`, hint, { header: name })
}

export function expectedBy(headers: Headers): Expected | Refusal {
  const skip = headers['x-if-match']
  if (skip !== undefined && skip !== 'skip') {
    return refuse('bad_request', 'X-If-Match can only be skip.', 'Give If-Match with an ETag, or X-If-Match: skip.')
  }
  const match = headers['if-match']
  const none = headers['if-none-match']
  if (none !== undefined && (match !== undefined || skip !== undefined)) {
    return refuse('bad_request', 'If-None-Match and If-Match cannot be combined.', 'Give one of them.')
  }
  if (typeof match === 'string' && match.trim() !== '*') {
    const versions = versionsOf(match, 'If-Match')
    return versions instanceof Refusal ? versions : { kind: 'one of', versions }
  }
  if (match !== undefined || skip !== undefined) return { kind: 'any' }
  if (typeof none !== 'string') return { kind: 'none' }
  if (none.trim() === '*') return { kind: 'nothing' }
  return refuse('bad_request', 'A write accepts only If-None-Match: *.', 'Give If-Match with an ETag instead.')
}

/** Whether a reader has this version already. */
export function isKnown(headers: Headers, version: number): boolean | Refusal {
  const none = headers['if-none-match']
  if (typeof none !== 'string') return false
  if (none.trim() === '*') return true
  const versions = versionsOf(none.replace(/\bW\//g, ''), 'If-None-Match')
  return versions instanceof Refusal ? versions : versions.includes(version)
}
