/** A way from a task over those before it back to itself, if there is one: it first and last. */
export function findCycle<Name>(task: Name, afterOf: (task: Name) => readonly Name[]): Name[] | undefined {
  const cameFrom = new Map<Name, Name>()
  const open: Name[] = [task]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const before of afterOf(at)) {
      if (before === task) return wayBack(task, at, cameFrom)
      if (cameFrom.has(before)) continue
      cameFrom.set(before, at)
      open.push(before)
    }
  }
  return undefined
}

function wayBack<Name>(task: Name, last: Name, cameFrom: ReadonlyMap<Name, Name>): Name[] {
  const way = [task]
  for (let at = last; at !== task; at = cameFrom.get(at) as Name) way.unshift(at)
  return [task, ...way]
}
