/** Nested deeper than this is a mistake or an attack; every reader and writer recurses at most this far. */
export const depthMax = 64
