import { byteLength } from '../../json/value.ts'
import { refuseSecret } from '../log/secrets.ts'

/** Room for the number that follows it: names stand in tables and prompts. */
const clientBytesMax = 48

/** Of a client that says nothing that could be a name. */
const nameless = 'agent'

/**
 * What a client is called among the sessions of a root, from what it says of itself: letters and digits of any script, and a
 * hyphen for all else.
 */
export function clientName(said: string): string {
  // What is certainly a secret was never meant for a name, and letters of it must not stand in one.
  if (refuseSecret(JSON.stringify(said), null) !== undefined) return nameless
  const words = said
    .slice(0, 1024)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return cut(words.replace(/^-|-$/g, '')).replace(/-$/, '') || nameless
}

/** The first name of these that no session bears: with 1, 2 … behind it. */
export function numberedName(base: string, isTaken: (name: string) => boolean): string {
  let no = 1
  while (isTaken(`${base}-${no}`)) no += 1
  return `${base}-${no}`
}

function cut(words: string): string {
  let kept = ''
  for (const letter of words) {
    if (byteLength(kept) + byteLength(letter) > clientBytesMax) break
    kept += letter
  }
  return kept
}
