// Where the time of increments goes: node scripts/run-ts.mjs bench/profile.ts [SECONDS] [CALLERS]
// Prints the functions with the most time of their own, and keeps the profile for a viewer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { findSourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCairn } from '../src/index.ts'
import { rateOfCallers } from './measure.ts'

/** Time in the driver and in SQLite is shown as one of the driver's native functions, whichever came first. */
const shownMax = 40

function placeOf({ url, lineNumber, columnNumber }: Profiler.Profile['nodes'][number]['callFrame']): string {
  if (!url.startsWith('file:')) return url
  const entry = findSourceMap(fileURLToPath(url))?.findEntry(lineNumber, columnNumber)
  if (entry === undefined || !('originalSource' in entry)) return basename(url)
  return `${relative(process.cwd(), fileURLToPath(new URL(entry.originalSource, url)))}:${entry.originalLine + 1}`
}

function selfTimes(profile: Profiler.Profile): [string, number][] {
  const names = new Map(
    profile.nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName || '(anonymous)'} ${placeOf(callFrame)}`]),
  )
  const times = new Map<string, number>()
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const name = names.get(id) ?? '?'
    times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas?.[at] ?? 0))
  }
  return [...times].sort((a, b) => b[1] - a[1])
}

const seconds = Number(process.argv[2] ?? 3)
const callers = Number(process.argv[3] ?? 64)
const folder = mkdtempSync(join(tmpdir(), 'cairn-profile-'))
const cairn = await openCairn({ home: folder })
const { session_id: session } = await cairn.session.create({ topic: 'profile' })
const ask = (caller: number) => cairn.state.increment({ session, key: `counter-${100 + caller}` })
await rateOfCallers(1000, callers, ask)

const inspector = new Session()
inspector.connect()
await inspector.post('Profiler.enable')
await inspector.post('Profiler.setSamplingInterval', { interval: 100 })
await inspector.post('Profiler.start')
const rate = await rateOfCallers(seconds * 1000, callers, ask)
const { profile } = await inspector.post('Profiler.stop')
await cairn.close()
rmSync(folder, { recursive: true })

const kept = join(tmpdir(), 'cairn.cpuprofile')
writeFileSync(kept, JSON.stringify(profile))
const times = selfTimes(profile)
const total = times.reduce((sum, [, time]) => sum + time, 0)
console.log(`${Math.round(rate)} increments a second by ${callers} callers; the profile is ${kept}`)
for (const [name, time] of times.slice(0, shownMax))
  console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`)
