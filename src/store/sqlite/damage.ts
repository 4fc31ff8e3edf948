/** A write-ahead log begins with 32 bytes; each frame has 24 before its page. See https://sqlite.org/fileformat2.html */
const logHeaderBytes = 32
const frameHeaderBytes = 24
const sumsAt = { header: 24, frame: 16 } as const
const bigEndianSums = 0x377f0683
const littleEndianSums = 0x377f0682
/** The size of a page where the header that says it cannot be believed. */
const usualPageBytes = 4096

type Sums = readonly [number, number]

/**
 * SQLite takes the first frame that does not fit its checksum for the end of the log, and all that was committed after it is
 * gone without a word. That is right only for the last transaction, which a loss of power may have torn: a commit is synced
 * before the next one is begun. So where two or more commits lie at or behind such a frame, the log was damaged. Answers the
 * number of that frame, 0 for the header.
 */
export function damagedFrame(log: Buffer): number | undefined {
  if (log.length < logHeaderBytes) return undefined
  const magic = log.readUInt32BE(0)
  const isBig = magic === bigEndianSums
  const sums = added([0, 0], log, 0, sumsAt.header, isBig)
  if (!(isBig || magic === littleEndianSums) || !isStored(sums, log, sumsAt.header)) {
    const first = log.subarray(logHeaderBytes + 8, logHeaderBytes + 16)
    return commitsFrom(log, logHeaderBytes, usualPageBytes, first) > 0 ? 0 : undefined
  }
  return damagedAfter(log, sums, isBig)
}

function damagedAfter(log: Buffer, start: Sums, isBig: boolean): number | undefined {
  const pageBytes = log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let sums = start
  let frame = 1
  for (let at = logHeaderBytes; at + frameHeaderBytes + pageBytes <= log.length; frame += 1) {
    const before = sums
    const next = at + frameHeaderBytes + pageBytes
    sums = added(added(before, log, at, at + 8, isBig), log, at + frameHeaderBytes, next, isBig)
    const fits = isStored(sums, log, at + sumsAt.frame)
    const isOfLog = salts.equals(log.subarray(at + 8, at + 16))
    if (!(fits && isOfLog)) {
      const isCommit = log.readUInt32BE(at + 4) > 0 || wasCommit(log.subarray(at, next), before, isBig)
      const own = (fits || isOfLog) && isCommit ? 1 : 0
      return own + commitsFrom(log, next, pageBytes, salts) >= 2 ? frame : undefined
    }
    at = next
  }
  return undefined
}

/** Whether a frame would fit as a commit: one bit that is turned may have made its size, a power of two, into none. */
function wasCommit(frame: Buffer, before: Sums, isBig: boolean): boolean {
  const turned = Buffer.from(frame)
  return Array.from({ length: 32 }, (_, bit) => bit).some((bit) => {
    turned.writeUInt32BE(2 ** bit, 4)
    const ofPage = added(before, turned, 0, 8, isBig)
    return isStored(added(ofPage, turned, frameHeaderBytes, turned.length, isBig), turned, sumsAt.frame)
  })
}

/** How many commits were written with these salts: those of an older log in the same file have others. */
function commitsFrom(log: Buffer, start: number, pageBytes: number, salts: Buffer): number {
  let commits = 0
  for (let at = start; at + frameHeaderBytes + pageBytes <= log.length; at += frameHeaderBytes + pageBytes) {
    if (log.readUInt32BE(at + 4) > 0 && salts.equals(log.subarray(at + 8, at + 16))) commits += 1
  }
  return commits
}

function added([first, second]: Sums, log: Buffer, from: number, to: number, isBig: boolean): Sums {
  const view = new DataView(log.buffer, log.byteOffset, log.length)
  let [a, b] = [first, second]
  for (let at = from; at < to; at += 8) {
    a = (a + view.getUint32(at, !isBig) + b) | 0
    b = (b + view.getUint32(at + 4, !isBig) + a) | 0
  }
  return [a, b]
}

function isStored([first, second]: Sums, log: Buffer, at: number): boolean {
  return log.readInt32BE(at) === first && log.readInt32BE(at + 4) === second
}

/** Whether a database of so many bytes is shorter than its first 100 bytes say. */
export function isCut(header: Buffer, bytes: number): boolean {
  if (header.length < 100 || !header.toString('latin1').startsWith('SQLite format 3\0')) return false
  // The count of pages is to be believed only where the program that wrote last is one that keeps it.
  if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return false
  const pageBytes = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16)
  return header.readUInt32BE(28) * pageBytes > bytes
}
