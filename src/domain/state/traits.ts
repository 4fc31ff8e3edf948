/** How what a conflict-free value keeps inside begins, as text. */
export const convergentPrefix = '{"crdt":'

/**
 * What a key has besides its value stands in `traits` as JSON: what a conflict-free value keeps inside (`{"crdt": …}`), or what
 * makes the key go by itself (`{"owner": …, "expires_at": …}`). No key has both: only `set` makes a key go, and it makes it plain.
 */
export function isConvergent(traits: string | null | undefined): boolean {
  return traits?.startsWith(convergentPrefix) === true
}
