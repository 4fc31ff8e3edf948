import type { Json } from '../../../json/value.ts'
import { sha256 } from '../../hashing/hashing.ts'

/** What `cwd` says where an agent has a work tree of git of its own. A folder of that name is `./worktree`. */
export const ownTree = 'worktree'

/** A file below refs, with `.lock` behind it, may have no longer name on any file system. */
const wordBytesMax = 200
const hashDigits = 16

const encoder = new TextEncoder()

/** The branch that an agent works on: two words below `cairn/`, so that all of a root are found together. */
export function branchOf(root: { readonly name: string }, agent: { readonly id: string }): string {
  return `cairn/${gitWord(root.name)}/${gitWord(agent.id)}`
}

/** Where its work tree lies in the data folder. Slugs tell roots apart that bear one name. */
export function treeFolderOf(root: { readonly slug: string }, agent: { readonly id: string }): string {
  return `trees/${gitWord(root.slug)}/${gitWord(agent.id)}`
}

/**
 * A name as one word of a branch and of a path. What git takes in a branch stays as it is; all else is written as in addresses (`%2E`),
 * and `%` is too, so that no two names become one. What is too long ends in `%h` and a hash, which nothing else can contain.
 */
function gitWord(name: string): string {
  // A dot at either end, the first of two, `.lock` at the end in whatever case: and whatever is no letter, digit or one of a few marks.
  const word = name.replace(/^\.|\.(?=\.)|\.(?=lock$)|\.$|[^\p{L}\p{M}\p{N}._@+=,-]/giu, encoded)
  if (encoder.encode(word).length <= wordBytesMax) return word
  const kept = [...word].slice(0, wordBytesMax / 4).join('')
  return `${kept}%h${sha256(name).slice(0, hashDigits)}`
}

function encoded(char: string): string {
  return [...encoder.encode(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/** Whether what is sent as a workflow, or added to one, asks for such trees. Nothing of it was checked yet. */
export function asksForTrees(given: unknown): boolean {
  const { defaults, agents, phases } = membersOf(given)
  const saysSo = (each: unknown) => membersOf(each).cwd === ownTree
  return saysSo(defaults) || listOf(agents).some(saysSo) || listOf(phases).some(asksForTrees)
}

function membersOf(value: unknown): { readonly [member: string]: Json | undefined } {
  return typeof value === 'object' && value !== null ? (value as never) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
