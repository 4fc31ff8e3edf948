/** One message of a stream of server-sent events. */
export interface Sent {
  /** `message` unless the server says otherwise. */
  readonly kind: string
  readonly data: string
}

/** The messages as they come; comments, by which a server says that it is still there, are left out. */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Sent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
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

function read(block: string): Sent | undefined {
  const lines = block.split('\n')
  const fieldOf = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
  const data = fieldOf('data')
  return data === undefined ? undefined : { kind: fieldOf('event') ?? 'message', data }
}
