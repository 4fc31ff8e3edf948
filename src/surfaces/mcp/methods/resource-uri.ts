/** What a resource is about: all of the state of a root, one key of it, or its summary. */
export interface Place {
  readonly root: string
  readonly part: 'state' | 'summary'
  readonly key?: string
}

export function uriOf({ root, part, key }: Place): string {
  const ending = key === undefined ? '' : `/${encodeURIComponent(key)}`
  return `cairn://roots/${encodeURIComponent(root)}/${part}${ending}`
}

/** Keys may hold slashes, written as such or encoded. */
export function placeIn(uri: string): Place | undefined {
  const found = /^cairn:\/\/roots\/([^/?#]+)\/(?:(summary)|state(?:\/([^?#]+))?)$/.exec(uri)
  if (found === null) return undefined
  const [, root = '', summary, key] = found
  try {
    const place = { root: decodeURIComponent(root), part: summary ? 'summary' : 'state' } as const
    return key === undefined ? place : { ...place, key: decodeURIComponent(key) }
  } catch {
    return undefined
  }
}
