import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CairnRefusal, Refusal } from '../domain/log/refusal.ts'
import { manifestFrom } from '../domain/manifest/manifest.ts'
import { isPassing, type Perform } from './inbox.ts'
import { names, projectOf } from './layout.ts'
import { importManifest } from './manifest/import.ts'
import { setAside } from './manifest/rejected.ts'
import { renderManifest } from './manifest/render.ts'
import { readPlain } from './plain-file.ts'
import { parse, type Rendered, type RowsToRender, render } from './render/index.ts'
import { Views } from './views.ts'

/** What is done with what somebody has written into a file: it is taken in, kept for later, or cannot be. */
type Taken = 'taken' | 'later' | Refusal

export interface Rendering {
  readonly dir: string
  readonly replica: string
  /** What its files looked like when it was onboarded. */
  readonly seen: string | null
  readonly rows: () => Promise<RowsToRender>
  readonly asHuman: Perform
  readonly now: () => number
}

/** Files that belong to the agents: Cairn writes into them what is its own, and never moves them. */
const ofAgents: ReadonlySet<string> = new Set(['plan.json', 'spec.md'])
/** Somebody may be writing it just now. */
const stillMs = 2000
const fileBytesMax = 4 * 1024 * 1024

/** Writes the views, once what somebody has written there is taken in or set aside; says whether something was taken in. */
export async function renderViews(rendering: Rendering): Promise<boolean> {
  const { dir, rows: ask, now } = rendering
  const views = new Views(dir)
  const held = new Set<string>()
  let rows = await ask()
  let taken = false
  for (const { path } of await filesOf(rendering, rows)) {
    const edited = await views.edited(path, ofAgents.has(path) ? 'any' : rendering.seen)
    if (edited === undefined) continue
    const done = isStill(dir, path, now()) ? await takeIn(rendering, path, edited, rows) : 'later'
    if (done === 'later') held.add(path)
    else if (done === 'taken') {
      views.accept(path, edited)
      rows = await ask()
      taken = true
    } else if (ofAgents.has(path)) held.add(path)
    else setAside(dir, path, done, now())
  }
  for (const { path, text } of await filesOf(rendering, rows)) {
    if (!held.has(path)) views.write(path, text)
  }
  return taken
}

/** All files that are rendered, the manifest first. */
async function filesOf({ dir, replica }: Rendering, rows: RowsToRender): Promise<Rendered[]> {
  const before = new Map<string, string>()
  for (const path of ['STATE.md', 'spec.md']) {
    const content = await readPlain(join(dir, path), fileBytesMax)
    if (content !== undefined) before.set(path, content.toString())
  }
  const state = renderManifest(manifestFrom(rows), basename(dir), { root: rows.rootId, replica })
  return [{ path: names.state, text: state }, ...(await render(rows, (path) => before.get(path)))]
}

/** Changes the root to what somebody wrote into its manifest. */
export async function importEdited(rendering: Rendering, edited: string): Promise<Refusal | 'later' | undefined> {
  const done = await takeIn(rendering, names.state, edited, await rendering.rows())
  return done === 'taken' ? undefined : done
}

async function takeIn(rendering: Rendering, path: string, edited: string, rows: RowsToRender): Promise<Taken> {
  const { dir, replica, asHuman } = rendering
  if (path === names.state) {
    const present = renderManifest(manifestFrom(rows), basename(dir), { root: rows.rootId, replica })
    return (await importManifest(present, edited, projectOf(dir), asHuman)) ?? 'taken'
  }
  const commands = await parse(path, edited, rows)
  if (commands instanceof Refusal) return commands
  for (const { operation, input } of commands) {
    try {
      await asHuman(operation, input)
    } catch (error) {
      if (!(error instanceof CairnRefusal)) throw error
      return isPassing(error.refusal) ? 'later' : error.refusal
    }
  }
  return 'taken'
}

/** What agents write is left alone while they do. */
export function isStill(dir: string, path: string, now: number): boolean {
  if (!ofAgents.has(path)) return true
  const found = lstatSync(join(dir, path), { throwIfNoEntry: false })
  return found === undefined || now - found.mtimeMs >= stillMs
}
