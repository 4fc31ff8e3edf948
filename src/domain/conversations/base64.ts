/** Bytes that become text at once: a multiple of three, and few enough to be arguments of one call. */
const chunkBytes = 0x6000

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunkBytes)))
  }
  return text
}

/** The bytes that a text stands for; undefined unless they are written as exactly that text again. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return undefined
  try {
    const letters = atob(text)
    const bytes = new Uint8Array(letters.length)
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at)
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
