/** What a resource is about: all of the state of a root, as an answer or as the bare document, one key of it, its summary, or a brief of all. */
export interface Place {
  readonly root: string
  readonly part: 'state' | 'summary' | 'document' | 'brief'
  readonly key?: string
}

export function uriOf({ root, part, key }: Place): string {
  if (part === 'document') return `state:${encodeURIComponent(root)}`
  const ending = key === undefined ? '' : `/${encodeURIComponent(key)}`
  return `cairn://roots/${encodeURIComponent(root)}/${part}${ending}`
}

/** Keys may hold slashes, written as such or encoded. */
export function placeIn(uri: string): Place | undefined {
  const document = /^state:([^/?#]+)$/.exec(uri)
  const found = document ?? /^cairn:\/\/roots\/([^/?#]+)\/(?:(summary|brief)|state(?:\/([^?#]+))?)$/.exec(uri)
  if (found === null) return undefined
  const [, root = '', named, key] = found
  try {
    const place = {
      root: decodeURIComponent(root),
      part: document ? 'document' : ((named ?? 'state') as 'summary' | 'brief' | 'state'),
    } as const
    return key === undefined ? place : { ...place, key: decodeURIComponent(key) }
  } catch {
    return undefined
  }
}
