/**
 * Tells the length of each message of a WebSocket, from the bytes that a server sends. It looks into none: many listen in one
 * process, and must not be slower than the server.
 */
export function payloadsOf(tell: (bytes: number) => void): (part: Buffer) => void {
  let unread: Buffer = Buffer.alloc(0)
  return (part) => {
    const data = unread.length === 0 ? part : Buffer.concat([unread, part])
    let at = 0
    for (let frame = frameAt(data, at); frame && frame.end <= data.length; frame = frameAt(data, at)) {
      tell(frame.end - frame.start)
      at = frame.end
    }
    unread = data.subarray(at)
  }
}

/** Where the payload of a frame starts and ends; undefined while its length is not there. */
function frameAt(data: Buffer, at: number): { start: number; end: number } | undefined {
  const short = (data[at + 1] ?? 0) & 0x7f
  const start = at + (headBytes.get(short) ?? 2)
  if (data.length < start) return undefined
  return { start, end: start + (short < 126 ? short : lengthAt(data, at + 2, short)) }
}

/** By the length that says where the real one stands. */
const headBytes = new Map([
  [126, 4],
  [127, 10],
])

function lengthAt(data: Buffer, at: number, short: number): number {
  return short === 126 ? data.readUInt16BE(at) : Number(data.readBigUInt64BE(at))
}
