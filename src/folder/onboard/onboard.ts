import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FolderLinked } from '../../domain/folders/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Adopted } from '../../log/adopt/adopt.ts'
import type { ForeignEvent } from '../../log/adopt/foreign-event.ts'
import type { FolderRecords, NewFolder } from '../../log/folders/folder-records.ts'
import type { Onboarded, Slice } from '../../operations/store/maintenance-port.ts'
import { names } from '../layout.ts'
import { bareHistory } from '../manifest/bare-history.ts'
import { readManifest } from '../manifest/read.ts'
import { readPlain } from '../plain-file.ts'
import { looksLike, looksOf } from './files-seen.ts'
import { type FoundFolder, foundIn } from './found-folders.ts'
import { type Histories, historiesOf } from './histories.ts'
import { readMirrors } from './mirrors.ts'

/** Folders that are read before they are taken in together. */
const atOnce = 200
/** A manifest names things; what is longer is none. */
const manifestBytesMax = 1024 * 1024

export interface Onboarding {
  readonly records: FolderRecords
  readonly newReplica: () => string
  /** Does what the manifest of a known root says by now. */
  readonly takeIn: (root: string, edited: string) => Promise<Refusal | undefined>
}

/** A folder with what was read of it. */
interface ReadFolder extends FoundFolder {
  readonly histories: Histories
  readonly seen: string
  /** Of a folder without a history of its own: what its manifest says. */
  readonly edited?: string
}

type Errors = Onboarded['errors'][number][]

/**
 * Takes in what session folders say that the store does not know, and links each root to its folder. Nothing is written into any of
 * them. A folder that cannot be taken in is named, and the others go in.
 */
export async function onboard(
  onboarding: Onboarding,
  dirs: readonly string[],
  { offset, limit }: Slice,
): Promise<Onboarded> {
  const { records } = onboarding
  const all = foundIn(dirs)
  const folders = all.slice(offset, offset + limit)
  await records.openProjects(folders.flatMap(({ project }) => project ?? []))
  const linked = new Map((await records.seen()).map((row) => [row.dir, row]))
  const errors: Errors = []
  let later: ReadFolder[] = []
  for (let from = 0; from < folders.length; from += atOnce) {
    const read: ReadFolder[] = []
    for (const folder of folders.slice(from, from + atOnce)) {
      if (looksLike(folder.dir, linked.get(folder.dir)?.seen ?? null)) continue
      const found = await readFolder(folder).catch(asRefusal)
      if (found instanceof Refusal) errors.push(failed(folder, found))
      else read.push(found)
    }
    // A fork begins in another root, which has to be there first.
    later.push(...read.filter(({ histories }) => histories.origin !== undefined))
    await takeIn(
      onboarding,
      linked,
      read.filter(({ histories }) => histories.origin === undefined),
      errors,
    )
  }
  for (let before = -1; later.length > 0 && later.length !== before; ) {
    before = later.length
    later = await takeInForks(onboarding, linked, later, errors)
  }
  errors.push(...later.map((folder) => failed(folder, withoutOrigin(folder.histories.origin?.root ?? ''))))
  return { synced: folders.length - errors.length, failed: errors.length, total: all.length, errors }
}

async function readFolder(folder: FoundFolder): Promise<ReadFolder> {
  if (folder.refusal) throw folder.refusal
  const seen = looksOf(folder.dir)
  const mirrors = await readMirrors(folder.dir)
  const bare = mirrors.length === 0 ? await readBare(folder) : undefined
  const histories = bare?.histories ?? historiesOf(mirrors)
  if (histories instanceof Refusal) throw histories
  return { ...folder, histories, seen, ...(bare && { edited: bare.text }) }
}

/** A folder in which there is nothing but what another tool has written of it. Undefined where there is not even that. */
async function readBare({ dir, project }: FoundFolder): Promise<{ histories: Histories; text: string } | undefined> {
  const path = join(dir, names.state)
  const content = await readPlain(path, manifestBytesMax)
  if (content === undefined) return undefined
  const text = content.toString()
  const manifest = readManifest(text)
  if (manifest instanceof Refusal) throw manifest
  const changedAt = Math.floor(statSync(path).mtimeMs)
  const { id, events } = bareHistory(manifest, { name: basename(dir), project: project ?? dirname(dir), changedAt })
  return { histories: { root: id, whole: [events], loose: [], origin: undefined }, text }
}

type Linked = ReadonlyMap<string, FolderLinked>

/** Roots that the store does not know go in together; the others one by one. */
async function takeIn(
  onboarding: Onboarding,
  linked: Linked,
  folders: readonly ReadFolder[],
  errors: Errors,
): Promise<void> {
  const { records, newReplica } = onboarding
  const ids = folders.map(({ histories }) => histories.root)
  const [known, removed] = [await records.known(ids), await records.removed(ids)]
  const fresh: { folder: ReadFolder; history: readonly ForeignEvent[]; row: NewFolder }[] = []
  const others: ReadFolder[] = []
  const taken = new Set<string>()
  for (const folder of folders) {
    const { root, whole } = folder.histories
    const [longest, ...more] = whole
    if (removed.has(root) && !folder.isNamed) errors.push(failed(folder, wasRemoved(folder.dir)))
    else if (known.has(root) || taken.has(root) || more.length > 0 || longest === undefined) others.push(folder)
    else {
      taken.add(root)
      const { dir, seen, project } = folder
      fresh.push({ folder, history: longest, row: { dir, seen, project, replica: newReplica() } })
    }
  }
  const answers = await records.adoptNew(
    fresh.map(({ folder, history: events, row }) => ({ id: folder.histories.root, events, row })),
  )
  for (const [at, answer] of answers.entries()) {
    const folder = (fresh[at] as (typeof fresh)[number]).folder
    if (answer instanceof Refusal) errors.push(failed(folder, answer))
  }
  for (const folder of others) {
    const refusal = await takeInOne(onboarding, linked, folder).catch(asRefusal)
    if (refusal) errors.push(failed(folder, refusal))
  }
}

/** A root that is known, or that has two histories: what is there stays, and what went another way becomes a fork. */
async function takeInOne(
  { records, newReplica, takeIn }: Onboarding,
  linked: Linked,
  folder: ReadFolder,
): Promise<Refusal | undefined> {
  const { root, whole, loose } = folder.histories
  const { dir, seen, project } = folder
  const before = await records.named(root)
  let parted: Adopted | undefined
  const isKnownBare = folder.edited !== undefined && before !== undefined
  if (isKnownBare && linked.get(dir)?.seen !== seen) {
    const refusal = await takeIn(root, folder.edited as string)
    if (refusal) return refusal
  }
  for (const history of isKnownBare ? [] : [...whole, ...loose]) {
    const done = await records.adopt(root, history)
    if (done instanceof Refusal) return done
    if (done.root.id !== root) parted ??= done
  }
  const found = await records.named(root)
  if (found === undefined) return undefined
  const isElsewhere = found.dir !== null && found.dir !== dir && existsSync(found.dir)
  // Of two folders of one root, the one that went its own way is that of the fork.
  const meant = isElsewhere ? parted && (await records.named(parted.root.id)) : found
  if (meant === undefined) return undefined
  const isOwn =
    meant.replica !== null && (meant.dir === dir || existsSync(join(dir, names.log, `${meant.replica}.jsonl`)))
  const replica = isOwn ? (meant.replica as string) : newReplica()
  const after = isOwn ? (meant.after ?? 0) : meant.seq
  const isSame = before !== undefined && linked.get(dir)?.seen === seen && isOwn && meant.dir === dir
  if (!isSame) await records.link({ root: meant.root, dir, replica, after, seen }, project)
  return undefined
}

/** Those whose origin is known by now; answers with the others. */
async function takeInForks(
  onboarding: Onboarding,
  linked: Linked,
  folders: readonly ReadFolder[],
  errors: Errors,
): Promise<ReadFolder[]> {
  const { records } = onboarding
  const left: ReadFolder[] = []
  for (const folder of folders) {
    const { origin, loose, root } = folder.histories
    const from = origin && (await records.named(origin.root))
    const isKnown = (await records.known([root])).has(root)
    if (origin === undefined || (from === undefined && !isKnown)) left.push(folder)
    else {
      const shared = from === undefined || isKnown ? [] : await records.historyOf(from.root, origin.at)
      const whole = loose.map((history) => [...shared, ...history])
      const histories = isKnown ? folder.histories : { ...folder.histories, whole, loose: [] }
      await takeIn(onboarding, linked, [{ ...folder, histories }], errors)
    }
  }
  return left
}

function asRefusal(error: unknown): Refusal {
  const refusal = error instanceof Refusal ? error : (error as { refusal?: unknown }).refusal
  if (refusal instanceof Refusal) return refusal as Refusal
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return refuse('storage_error', `It cannot be read (${code}).`, 'Check who owns it.')
}

function failed({ dir }: FoundFolder, { code, message, hint }: Refusal): Errors[number] {
  return { folder: dir, error: code, message, hint }
}

function wasRemoved(dir: string): Refusal {
  return refuse('already_exists', 'Its root was removed here.', `To take it in again, name it: cairn onboard ${dir}.`)
}

function withoutOrigin(origin: string): Refusal {
  const hint = 'Onboard the folder of that root too, or the whole project.'
  return refuse('not_found', `It is a fork of ${origin}, whose events are not here.`, hint, { origin })
}
