/** Nested deeper than this is a mistake or an attack: how deep a value may be unless a store is set to take more or less. */
export const depthMax = 64
/** Every reader and writer recurses at most this far: no store can be set to take more. */
export const depthCeiling = 256
