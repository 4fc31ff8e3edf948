import { deadServer } from './discovery.ts'
import { ownKeeper } from './keeper-file.ts'

/** More addresses than a server that finds its own taken each time goes through in a night. */
const replacedMax = 16

/** Where servers of a data folder were that died before the one at `url`: an agent that they started may still live. */
export function replacedBy(url: string, home: string): string[] | undefined {
  const { url: last, replaces: earlier = [] } = deadServer(home) ?? {}
  const others = new Set(last === undefined ? earlier : [...earlier, last])
  others.delete(url)
  return others.size === 0 ? undefined : [...others].slice(-replacedMax)
}

/**
 * The ports that a server tries, in order. Whoever takes any port takes that of the server before it that died: some may still ask
 * there. One that its keeper has started again comes back where the first was, and anywhere if another program is there by now.
 */
export function portsAfter(home: string, wanted: number): number[] {
  const kept = ownKeeper(home)
  if (kept === undefined && wanted !== 0) return [wanted]
  return [...portIn(kept?.url), ...portIn(deadServer(home)?.url), 0]
}

function portIn(url: string | undefined): number[] {
  const port = url !== undefined && URL.canParse(url) ? Number(new URL(url).port) : 0
  return port === 0 ? [] : [port]
}
