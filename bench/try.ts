import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCairn } from '../src/index.ts'
const home = mkdtempSync(join(tmpdir(), 'cb-'))
const cairn = await openCairn({ home, limits: { valueBytes: 64e6, keys: 100000 } })
const { session_id: session } = await cairn.session.create({ topic: 'x' })
const item = 'x'.repeat(97)
for (let i = 0; i < 10000; i += 200) await Promise.all(Array.from({ length: 200 }, () => cairn.state.append({ session, key: 'large', items: [item] })))
const t: [number, number][] = []
for (let i = 0; i < 600; i++) { const c = process.cpuUsage(); const s = performance.now(); const r = await cairn.state.append({ session, key: 'large', items: [item] }); const d = process.cpuUsage(c); t.push([r.version, performance.now() - s, (d.user + d.system) / 1000] as any) }
const by = (f: (v: number) => boolean) => { const x = t.filter(([v]) => f(v - 1)).map((y: any) => y[2]).sort((a, b) => a - b); return `${x.length}: median cpu ${x[x.length >> 1]?.toFixed(2)} ms max ${x.at(-1)?.toFixed(2)}` }
console.log('plain', by((v) => v % 16 !== 0)); console.log('16th', by((v) => v % 16 === 0 && v % 256 !== 0)); console.log('256th', by((v) => v % 256 === 0))
const e: number[] = []
for (let i = 0; i < 300; i++) await cairn.state.set({ session, key: `e${i}`, value: [] })
for (let i = 0; i < 300; i++) { const c = process.cpuUsage(); await cairn.state.append({ session, key: `e${i}`, items: [item] }); const d = process.cpuUsage(c); e.push((d.user + d.system) / 1000) }
console.log('empty', e.sort((a, b) => a - b)[150]!.toFixed(2))
await cairn.close(); rmSync(home, { recursive: true })
