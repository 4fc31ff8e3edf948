/** Ids of providers have some dozens of characters; names of tools too. */
export const idCharsMax = 512
/** What stands for a conversation that was compacted is read by a model. */
export const summaryCharsMax = 1_000_000
/** One block of more than this is kept as a blob: a feed and a page of events stay readable. */
export const inlineBytesMax = 16 * 1024
