/** What is done to one thing, one after the other. */
const last = new Map<string, Promise<unknown>>()

/** Does it once all that was asked before for the same thing is done. */
export async function inTurn<Out>(thing: string, act: () => Promise<Out>): Promise<Out> {
  const before = last.get(thing) ?? Promise.resolve()
  const turn = before.then(act, act)
  const settled = turn.catch(() => undefined)
  last.set(thing, settled)
  try {
    return await turn
  } finally {
    if (last.get(thing) === settled) last.delete(thing)
  }
}
