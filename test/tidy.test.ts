// Style and architecture are a test. Every check answers with the places that break it, as `file:line what`.
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  codeLines,
  committedFiles,
  functionSizes,
  type SourceFile,
  sourceFile,
  targetOf,
} from './setup/source-files.ts'

/** What each folder of src/ may import besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  json: [],
  domain: ['json'],
  operations: ['json', 'domain'],
  store: ['json', 'domain'],
  log: ['json', 'domain', 'operations', 'store'],
  home: ['json', 'domain', 'log'],
  folder: ['json', 'domain', 'operations', 'log', 'home'],
  orchestrator: ['json', 'domain'],
  runner: ['json', 'domain', 'operations', 'log', 'home', 'client', 'orchestrator'],
  client: ['json', 'domain', 'operations', 'log', 'home'],
  surfaces: ['json', 'domain', 'operations', 'log', 'home', 'folder', 'client', 'runner'],
}
/** Files beside the folders: these put the layers together, and only surfaces may start them. */
const COMPOSITION = ['src/index.ts', 'src/open.ts', 'src/serve.ts', 'src/serve-stdio.ts']
/** The only file of the client that is for one machine: it alone knows the data folder, and opens the store where no server runs. */
const LOCAL = 'src/client/local.ts'
/** What is spoken over HTTP whatever is said: surfaces may use this room, and it knows none of them. */
const WIRE = 'wire'
/** Anyone but the domain may use these. */
const SHARED = ['src/clock.ts', 'src/web-clock.ts', 'src/home/config.ts', 'src/failpoint.ts']
/** What is run by its name rather than imported. */
const ENTRIES = [
  'src/index.ts',
  'src/surfaces/cli/main.ts',
  'src/surfaces/cli/keeper/main.ts',
  'src/operations/signatures.ts',
]

/** Modules of Node's that do not touch the world; all others belong to the places below. */
const PURE_MODULES = /^node:(?:assert|async_hooks|buffer|crypto|events|path|string_decoder|timers\/promises|url|util)$/
const MAY_TOUCH_THE_WORLD =
  /^src\/(?:surfaces\/|home\/|folder\/|runner\/|client\/local\.ts$|store\/sqlite\/(?:aside|checkpoint-thread|engine|file|names)\.ts$|store\/postgres\/engine\.ts$|(?:clock|open|serve)\.ts$)/

const OWNERS: Record<string, string> = {
  '@photostructure/sqlite': 'src/store/sqlite/engine.ts',
  pg: 'src/store/postgres/engine.ts',
}

/** The log itself, who acts in it, what they may do, bytes beside it, and where its files are; every other part stands on these. */
const GROUND = new Set(['log', 'hashing', 'sessions', 'leases', 'access', 'blobs', 'folders', 'store'])

/** More than a reader takes in at a glance. */
const folderFilesMax = 20
const functionLinesMax = 70
const fileLinesMax = 300
const fileLinesMedianMax = 100
const fileLinesP95Max = 250

const committed = committedFiles()
const source = committed.filter((path) => /^src\/.*\.ts$/.test(path) && !path.endsWith('.d.ts')).map(sourceFile)
const scripts = committed.filter((path) => /^(?:bench|scripts)\/.*\.(?:ts|mjs)$/.test(path)).map(sourceFile)
/** The dashboard is a program of its own: it may be as large, and no larger in its pieces. */
const pages = committed.filter((path) => /^dashboard\/src\/.*\.tsx?$/.test(path)).map(sourceFile)

function layerOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1]
}

/** The room of a file among the surfaces. */
function surfaceOf(path: string | undefined): string | undefined {
  return /^src\/surfaces\/([^/]+)\//.exec(path ?? '')?.[1]
}

function mayImport(from: string, target: string): boolean {
  const [layer, other] = [layerOf(from), layerOf(target)]
  if (layer === other && layer !== undefined) return true
  if (layer === undefined) return COMPOSITION.includes(from) || SHARED.includes(target) || other === 'domain'
  if (SHARED.includes(target)) return layer !== 'domain' && layer !== 'json'
  if (COMPOSITION.includes(target)) return layer === 'surfaces' || (from === LOCAL && target === 'src/open.ts')
  if (target.startsWith('migrations/')) return layer === 'store'
  return other !== undefined && (MAY_IMPORT[layer] ?? []).includes(other)
}

/** Lines of code that match, leaving out comments. */
function linesMatching(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const code = /^\s*(?:\*|\/\*|\/\/)/.test(line) ? '' : line.replace(/\s\/\/.*$/, '')
      const match = pattern.exec(code)
      return match ? [`${path}:${index + 1} ${match[0]}`] : []
    }),
  )
}

function importsThat(breaks: (file: SourceFile, from: string, target: string | undefined) => boolean): string[] {
  return source.flatMap((file) =>
    file.imports
      .filter((each) => breaks(file, each.from, targetOf(file, each)))
      .map((each) => `${file.path}:${each.line} imports ${each.from}`),
  )
}

function reachable(): Set<string> {
  const byPath = new Map(source.map((file) => [file.path, file]))
  const seen = new Set<string>()
  const visit = (path: string) => {
    const file = byPath.get(path)
    if (!file || seen.has(path)) return
    seen.add(path)
    for (const each of file.imports) visit(targetOf(file, each) ?? '')
  }
  ENTRIES.forEach(visit)
  return seen
}

describe('layers', () => {
  it('has a rule for every folder of src', () => {
    const unknown = source.filter(({ path }) => layerOf(path) !== undefined && !MAY_IMPORT[layerOf(path) ?? ''])
    expect(unknown.map(({ path }) => `${path}:1 its folder is not in MAY_IMPORT`)).toEqual([])
    const loose = source.filter(
      ({ path }) => layerOf(path) === undefined && ![...COMPOSITION, ...SHARED].includes(path),
    )
    expect(loose.map(({ path }) => `${path}:1 belongs into a folder`)).toEqual([])
  })

  it('points inward', () => {
    expect(importsThat((file, _, target) => target !== undefined && !mayImport(file.path, target))).toEqual([])
  })

  it('has a log and a store that know no part which stands on them', () => {
    const breaking = importsThat(({ path }, _, target) => {
      const part = /^src\/(?:domain|operations)\/(\w+)\//.exec(target ?? '')?.[1]
      if (part === undefined || GROUND.has(part)) return false
      return /^src\/(?:log|store)\//.test(path)
    })
    expect(breaking).toEqual([])
  })

  it('has surfaces that do not know each other', () => {
    const isOther = (from: string, to: string | undefined) => to !== undefined && to !== WIRE && to !== from
    expect(
      importsThat(({ path }, _, target) => {
        const from = surfaceOf(path)
        return from !== undefined && isOther(from, surfaceOf(target))
      }),
    ).toEqual([])
  })

  it('has a client that runs anywhere, but for the one file that is for the machine of the store', () => {
    const isLocal = (target: string | undefined) =>
      target === LOCAL || ['log', 'home'].includes(layerOf(target ?? '') ?? '')
    expect(
      importsThat(({ path }, from, target) => {
        const isClient = layerOf(path) === 'client' && path !== LOCAL
        return isClient && (from.startsWith('node:') || isLocal(target))
      }),
    ).toEqual([])
  })

  it('keeps the domain pure: it runs anywhere, and knows no module that is not its own', () => {
    const inDomain = (file: SourceFile) => ['domain', 'json'].includes(layerOf(file.path) ?? '')
    expect(importsThat((file, from) => inDomain(file) && !from.startsWith('.'))).toEqual([])
  })

  it('touches files, processes and the network only at the edge', () => {
    const worldly = (from: string) => from.startsWith('node:') && !PURE_MODULES.test(from)
    expect(importsThat((file, from) => worldly(from) && !MAY_TOUCH_THE_WORLD.test(file.path))).toEqual([])
  })

  it('knows each database engine in one file only', () => {
    expect(importsThat((file, from) => from in OWNERS && OWNERS[from] !== file.path)).toEqual([])
  })

  it('reads the clock and makes randomness in clock.ts and web-clock.ts only', () => {
    const elsewhere = source.filter(({ path }) => !['src/clock.ts', 'src/web-clock.ts'].includes(path))
    const pattern = /Date\.now|new Date\(\)|performance\.now|Math\.random|random(?:UUID|Bytes|Int|Values)|hrtime/i
    expect(linesMatching(elsewhere, pattern)).toEqual([])
  })
})

describe('files', () => {
  it('are named after what they hold, not manager, service, helper, util or handler', () => {
    const vague = committed.filter((path) => /manager|service|helper|utils?\b|handler/i.test(basename(path)))
    expect(vague.map((path) => `${path}:1 its name says nothing`)).toEqual([])
  })

  it(`are at most ${folderFilesMax} in a folder of src, here and in the dashboard`, () => {
    const counts = new Map<string, number>()
    for (const path of committed.filter((each) => /^(?:dashboard\/)?src\//.test(each))) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    }
    const full = [...counts].filter(([, count]) => count > folderFilesMax)
    expect(full.map(([folder, count]) => `${folder}:1 has ${count} files`)).toEqual([])
  })

  it('are all used', () => {
    const used = reachable()
    const dead = source.filter(({ path }) => !used.has(path))
    expect(dead.map(({ path }) => `${path}:1 no entry reaches it`)).toEqual([])
  })

  it(`have functions of at most ${functionLinesMax} lines`, () => {
    const long = [...source, ...scripts, ...pages].flatMap((file) =>
      functionSizes(file)
        .filter(({ lines }) => lines > functionLinesMax)
        .map(({ name, line, lines }) => `${file.path}:${line} ${name} has ${lines} lines`),
    )
    expect(long).toEqual([])
  })

  const sizes = source.map(({ lines }) => lines.length).sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.ceil(sizes.length * share) - 1] ?? 0
  const measured = `src has ${sizes.length} files, median ${at(0.5)} lines, p95 ${at(0.95)}, longest ${at(1)}`

  it(`are small: ${measured}`, () => {
    const long = [...source, ...pages].filter((file) => codeLines(file) > fileLinesMax)
    expect(long.map((file) => `${file.path}:1 has ${codeLines(file)} lines besides tables`)).toEqual([])
    expect(at(0.5), measured).toBeLessThanOrEqual(fileLinesMedianMax)
    expect(at(0.95), measured).toBeLessThanOrEqual(fileLinesP95Max)
  })
})

describe('what is committed', () => {
  const texts = committed.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  // Written so that they do not match themselves.
  const unwanted = {
    'a path of one machine': /(?<![\w.}])\/(?:wor[k]|hom[e])\//,
    'work left undone': /\b(?:TOD[O]|FIXM[E])\b/,
    'a package registry': /https?:\/\/[^\s/"'`]*(?:registr[y]|npmj[s]|verdacci[o]|artifactor[y]|nexu[s])/i,
  }

  it.each(Object.entries(unwanted))('does not hold %s', (_, pattern) => {
    const found = texts.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const match = pattern.exec(line)
        return match ? [`${path}:${index + 1} ${match[0]}`] : []
      }),
    )
    expect(found).toEqual([])
  })

  it('has a lockfile without download addresses', () => {
    const lines = readFileSync('package-lock.json', 'utf8').split('\n')
    const found = lines.flatMap((line, index) =>
      /"resolved": "(?!dashboard")/.test(line) ? [`package-lock.json:${index + 1}`] : [],
    )
    expect(found).toEqual([])
  })
})
