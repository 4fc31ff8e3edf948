/** Shorter texts are written as they are. */
const sharedCharsMin = 16 * 1024
/** So many are remembered: what is told of one event, and of one before it. */
const rememberedMax = 8

const remembered = new Map<string, Buffer>()

/** A long text as bytes, the same for all who are told it at once: a copy for each of a thousand readers would be gigabytes. */
export function sharedBytes(text: string): string | Buffer {
  if (text.length < sharedCharsMin) return text
  const known = remembered.get(text)
  if (known !== undefined) return known
  const bytes = Buffer.from(text)
  const [oldest] = remembered.keys()
  if (remembered.size >= rememberedMax) remembered.delete(oldest as string)
  remembered.set(text, bytes)
  return bytes
}
