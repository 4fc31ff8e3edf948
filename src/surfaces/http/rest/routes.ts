import { keyNames, sessionNames } from '../../../operations/completion.ts'
import { operations } from '../../../operations/index.ts'
import type { AnyAnswered, AnyOperation } from '../../../operations/operation.ts'
import { type Path, paths } from './paths.ts'

/** An operation as it is reached over HTTP. */
export interface Route extends Path {
  readonly does: AnyAnswered
  /** Stands for it in logs and metrics. */
  readonly label: string
}

/** By its name: as whoever knows the operations calls it. */
export function isByName({ path }: Path): boolean {
  return path.startsWith('/operations/')
}

/** The name that a member of the input has over HTTP: the one that answers have it under. */
export function nameOf(route: Route, member: string): string {
  const named = Object.entries(route.names ?? {}).find(([, meant]) => meant === member)?.[0]
  if (named !== undefined || isByName(route)) return named ?? member
  return Object.entries(route.does.input.aliases).find(([, meant]) => meant === member)?.[0] ?? member
}

/** What a path means, by method; several where the request itself has to choose. */
type Meanings = ReadonlyMap<string, readonly Route[]>

export interface FoundPath {
  readonly meanings: Meanings
  readonly members: Readonly<Record<string, string>>
}

/** Streams are followed through the feed. */
const answered = Object.values(operations)
  .flatMap((verbs) => Object.values<AnyOperation>(verbs))
  .filter((operation): operation is AnyAnswered => operation.kind !== 'stream')

/** What only commands of this program ask, to complete a line: it is served and described nowhere. */
const undescribed: readonly AnyAnswered[] = [keyNames, sessionNames]

/** Operations of parts that are no part of the product, and where HTTP finds them. */
export interface AddedRoutes {
  readonly operations: readonly AnyAnswered[]
  readonly paths: readonly Path[]
}

/** Every operation by its own name; the way of clients that know the operations. */
function callOf({ name }: AnyAnswered): Path {
  return { method: 'POST', path: `/operations/${name}`, operation: name }
}

function routesOf(all: readonly AnyAnswered[], meant: readonly Path[]): Route[] {
  const byName = new Map(all.map((operation) => [operation.name, operation]))
  return meant.map((path) => {
    const does = byName.get(path.operation)
    if (does === undefined) throw new Error(`${path.method} ${path.path} names no operation`)
    return { ...path, does, label: `${path.method} ${path.path}` }
  })
}

/** All of REST. */
export const routes: readonly Route[] = routesOf(answered, [...paths, ...answered.map(callOf)])

interface Branch {
  readonly words: Map<string, Branch>
  member?: { readonly name: string; readonly branch: Branch }
  readonly ends: Map<string, Route[]>
}

const newBranch = (): Branch => ({ words: new Map(), ends: new Map() })

/** Finds routes by their path: what that costs does not depend on how many there are. */
export class RouteTree {
  readonly #tree = newBranch()

  constructor(added: AddedRoutes = { operations: [], paths: [] }) {
    const own = routesOf(added.operations, [...added.paths, ...added.operations.map(callOf)])
    for (const route of [...routes, ...routesOf(undescribed, undescribed.map(callOf)), ...own]) {
      const { ends } = this.#branchOf(route.path)
      ends.set(route.method, [...(ends.get(route.method) ?? []), route])
    }
  }

  #branchOf(path: string): Branch {
    let at = this.#tree
    for (const part of path.split('/').slice(1))
      at = part.startsWith('{') ? memberBranch(at, part.slice(1, -1)) : wordBranch(at, part)
    return at
  }

  /** Undefined where there is nothing, or where a part is no text in percent-encoding. */
  find(path: string): FoundPath | undefined {
    const members: Record<string, string> = {}
    let at = this.#tree
    for (let end = path.indexOf('/'); end >= 0; ) {
      const start = end + 1
      end = path.indexOf('/', start)
      const part = path.slice(start, end < 0 ? undefined : end)
      const word = at.words.get(part)
      if (word === undefined) {
        const text = decoded(part)
        if (at.member === undefined || text === undefined || text === '') return undefined
        members[at.member.name] = text
      }
      at = word ?? (at.member as { branch: Branch }).branch
    }
    return at.ends.size === 0 ? undefined : { meanings: at.ends, members }
  }
}

function wordBranch(at: Branch, word: string): Branch {
  const known = at.words.get(word) ?? newBranch()
  at.words.set(word, known)
  return known
}

function memberBranch(at: Branch, name: string): Branch {
  at.member ??= { name, branch: newBranch() }
  return at.member.branch
}

function decoded(part: string): string | undefined {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
