/** The data of server-sent events, whoever wrote them: any line ending, with or without a space, over several lines. */
export async function* dataIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let unread = ''
  let data: string[] = []
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    unread += decoder.decode(chunk, { stream: true })
    const lines = unread.split(/\r\n|\n|\r(?!$)/)
    unread = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
}
