import type { Endpoint } from '../wire/endpoint.ts'

export interface FoundEndpoint {
  readonly endpoint: Endpoint
  /** Stands for it in logs and metrics. */
  readonly label: string
  readonly members: Readonly<Record<string, string>>
}

interface Patterned {
  readonly method: string
  readonly path: string
  readonly names: readonly string[]
  readonly pattern: RegExp
  readonly endpoint: Endpoint
}

/** What is served beside the operations, by method and path, such as `GET /health`; members of a path stand in braces; one with a star is all the rest of it. */
export class Endpoints {
  readonly #plain: ReadonlyMap<string, Endpoint>
  readonly #patterned: readonly Patterned[]

  constructor(all: ReadonlyMap<string, Endpoint>) {
    this.#plain = all
    this.#patterned = [...all]
      .filter(([name]) => name.includes('{'))
      .map(([name, endpoint]) => patterned(name, endpoint))
  }

  find(method: string, path: string): FoundEndpoint | undefined {
    const isHead = method === 'HEAD'
    const found = this.#at(isHead ? 'GET' : method, path)
    return isHead && !(found?.endpoint.open || found?.endpoint.hasHead) ? undefined : found
  }

  /** What can be done there. */
  methodsAt(path: string, methods: readonly string[]): string[] {
    return methods.filter((method) => this.find(method, path) !== undefined)
  }

  #at(method: string, path: string): FoundEndpoint | undefined {
    const plain = this.#plain.get(`${method} ${path}`)
    if (plain !== undefined) return { endpoint: plain, label: path, members: {} }
    for (const each of this.#patterned) {
      const parts = each.method === method ? each.pattern.exec(path)?.slice(1).map(decoded) : undefined
      if (parts === undefined || parts.includes(undefined)) continue
      const members = Object.fromEntries(each.names.map((name, at) => [name, parts[at] as string]))
      return { endpoint: each.endpoint, label: `${method} ${each.path}`, members }
    }
    return undefined
  }
}

function patterned(name: string, endpoint: Endpoint): Patterned {
  const [method = '', path = ''] = name.split(' ')
  const names = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, member]) => member as string)
  return { method, path, names, pattern: patternOf(path), endpoint }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)').replace(/\{\w+\*\}/g, '(.*)')}$`)
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
