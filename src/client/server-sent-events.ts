/** One message of a stream of server-sent events. */
export interface Sent {
  /** `message` unless the server says otherwise. */
  readonly kind: string
  readonly data: string
}

/**
 * The messages as they come; comments, by which a server says that it is still there, are left out. A connection on which nothing
 * at all comes for so long is taken for lost.
 */
export async function* messagesIn(body: ReadableStream<Uint8Array>, silentMs: number): AsyncGenerator<Sent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silentMs)
      if (done) return
      unread += decoder.decode(value, { stream: true })
      const blocks = unread.split('\n\n')
      unread = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = read(block)
        if (message) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number) {
  // A read that is cancelled says that there is nothing more.
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), ms)
  try {
    return await reader.read()
  } finally {
    clearTimeout(timer)
  }
}

function read(block: string): Sent | undefined {
  const lines = block.split('\n')
  const fieldOf = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
  const data = fieldOf('data')
  return data === undefined ? undefined : { kind: fieldOf('event') ?? 'message', data }
}
