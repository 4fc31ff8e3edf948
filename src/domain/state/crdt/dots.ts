/** Additions to a set, each by its actor and the actor's own count of additions. */
export type Dots = { readonly [actor: string]: readonly number[] }

/**
 * What was seen is kept short: an actor's first number stands for all dots up to it, and only those that came before their
 * turn follow it one by one.
 */
export function sawDots(seen: Dots, more: Dots): Dots {
  const all: { [actor: string]: readonly number[] } = { ...seen }
  for (const [actor, dots] of Object.entries(more)) all[actor] = shortened(all[actor] ?? [0], dots)
  return all
}

function shortened(seen: readonly number[], more: readonly number[]): readonly number[] {
  const [all = 0, ...single] = seen
  if (more.every((dot) => dot <= all)) return seen
  const later = new Set([...single, ...more].filter((dot) => dot > all))
  let upTo = all
  while (later.delete(upTo + 1)) upTo += 1
  return [upTo, ...[...later].sort((a, b) => a - b)]
}

export function hasSeen(seen: Dots, actor: string, dot: number): boolean {
  const [upTo = 0, ...single] = seen[actor] ?? []
  return dot <= upTo || single.includes(dot)
}

/** The number that this actor's next addition gets. */
export function nextDot(seen: Dots, actor: string): number {
  return (seen[actor]?.at(-1) ?? 0) + 1
}

/** Each actor's dots of all parts, smallest first. */
export function allDots(parts: readonly Dots[]): Dots {
  const all: { [actor: string]: number[] } = {}
  for (const part of parts) {
    for (const [actor, dots] of Object.entries(part)) {
      all[actor] ??= []
      all[actor].push(...dots)
    }
  }
  for (const dots of Object.values(all)) dots.sort((a, b) => a - b)
  return all
}

/** Whether a dot is one of these; thousands may be asked for. */
export function among(dots: Dots): (actor: string, dot: number) => boolean {
  const sets = new Map(Object.entries(dots).map(([actor, each]) => [actor, new Set(each)]))
  return (actor, dot) => sets.get(actor)?.has(dot) ?? false
}

/** The dots that stay; actors without one are left out. */
export function dotsThat(dots: Dots, stays: (actor: string, dot: number) => boolean): Dots {
  const left = Object.entries(dots).map(([actor, each]) => [actor, each.filter((dot) => stays(actor, dot))] as const)
  return Object.fromEntries(left.filter(([, each]) => each.length > 0))
}
