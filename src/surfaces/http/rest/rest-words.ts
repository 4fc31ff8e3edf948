import type { HintWords } from '../../../operations/hint-words.ts'
import { type Path, paths } from './paths.ts'
import { nameOf, type Route } from './routes.ts'

/** What the environment of a command says, a header says to a server. */
const headers: Readonly<Record<string, string>> = {
  request_id: 'Idempotency-Key',
  AGENT_SESSION_ID: 'X-Agent-Session-Id',
  AGENT_ROOT_SESSION_ID: 'X-Agent-Root-Session-Id',
}

const firstOf = new Map<string, Path>([...paths].reverse().map((path) => [path.operation, path]))

/** How REST says what a hint names, to whoever asked for this route; without one, what can be said of all of them. */
export function restWords(route: Route | undefined): HintWords {
  return {
    operation(name) {
      const found = firstOf.get(name)
      if (found === undefined) return `POST /operations/${name}`
      const word = found.when === undefined ? '' : ` {"operation": "${found.when}"}`
      return `${found.method} ${found.path}${word}`
    },
    given(name, value) {
      const condition = route?.etag ? conditionOf(name, value) : undefined
      if (condition !== undefined) return condition
      const header = Object.entries(route?.headers ?? {}).find(([, member]) => member === name)?.[0] ?? headers[name]
      const said = header ?? (route && nameOf(route, name))
      return said === undefined || value === undefined ? said : `${said}: ${value}`
    },
  }
}

/** Where there are ETags, what is expected of a version is said by the headers for it. */
function conditionOf(name: string, value: string | undefined): string | undefined {
  if (name === 'create_only' || (name === 'version' && value === '0')) return 'If-None-Match: *'
  if (name !== 'version') return undefined
  return value === undefined ? 'If-Match' : `If-Match: "${value}"`
}
