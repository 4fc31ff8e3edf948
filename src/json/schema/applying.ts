import type { Path } from '../refusals.ts'

/** How many schemas may be applied to one and the same value, each by the one before: at every level the check recurses so far. */
const applyingMax = 24

/** By its pointer, each schema that applies others to the value it is applied to itself. */
export type Applied = Map<string, { readonly path: Path; readonly to: string[] }>

/** A schema that leads back to itself without going into the value would be applied without end. */
export function faultOfApplying(applied: Applied): { path: Path; what: string } | undefined {
  const depths = new Map<string, number>()
  const depthOf = (pointer: string): number => {
    const known = depths.get(pointer)
    if (known !== undefined) return known
    depths.set(pointer, Number.POSITIVE_INFINITY)
    const below = (applied.get(pointer)?.to ?? []).map(depthOf)
    const depth = 1 + Math.max(0, ...below)
    depths.set(pointer, depth)
    return depth
  }
  for (const [pointer, { path }] of applied) {
    const depth = depthOf(pointer)
    if (depth === Number.POSITIVE_INFINITY) return { path, what: 'leads back to itself without going into the value' }
    if (depth > applyingMax) return { path, what: `applies more than ${applyingMax} schemas through each other` }
  }
  return undefined
}
