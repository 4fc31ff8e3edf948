// What agents put out: read slice by slice, cut in lines and in size, and never more in memory than a slice.
import { appendFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Lines } from '../../src/runner/processes/lines.ts'
import { OutputFile, sliceBytes } from '../../src/runner/processes/output-file.ts'
import type { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { endProcesses } from '../../src/runner/processes/signals.ts'
import { ending, launched, newHome, newRun, sh, until } from './process-setup.ts'

const mib = 1024 * 1024

function made(): RunFolder {
  const folder = newRun(newHome())
  folder.make()
  return folder
}

/** All that can be read from a place on, and what was lost before each slice. */
function readAll(output: OutputFile, from = 0): { text: string; lost: number; next: number } {
  let [text, lost, next] = ['', 0, from]
  for (;;) {
    const slice = output.read(next)
    lost += slice.lost
    if (slice.bytes.length === 0) return { text, lost, next: slice.next }
    expect(slice.bytes.length).toBeLessThanOrEqual(sliceBytes)
    text += slice.bytes.toString('latin1')
    next = slice.next
  }
}

describe('the output of an agent', () => {
  it('is read from where the reader was, slice by slice', () => {
    const folder = made()
    const output = new OutputFile(folder, 'output', 16 * mib)
    expect(readAll(output)).toEqual({ text: '', lost: 0, next: 0 })
    writeFileSync(folder.file('output'), 'a'.repeat(sliceBytes + 5))
    const first = readAll(output)
    expect(first).toEqual({ text: 'a'.repeat(sliceBytes + 5), lost: 0, next: sliceBytes + 5 })
    appendFileSync(folder.file('output'), 'more')
    expect(readAll(output, first.next)).toEqual({ text: 'more', lost: 0, next: sliceBytes + 9 })
    expect(output.end).toBe(sliceBytes + 9)
  })

  it('keeps its beginning and its end when its middle is taken out, and the places stay what they were', () => {
    const folder = made()
    const line = (at: number) => `line ${String(at).padStart(9, '0')} ${'.'.repeat(84)}\n`
    const output = new OutputFile(folder, 'output', mib)
    const lines = 30_000
    for (let at = 0; at < lines; at += 1000) {
      appendFileSync(folder.file('output'), Array.from({ length: 1000 }, (_, more) => line(at + more)).join(''))
      output.cut()
    }
    const bytes = lines * line(0).length
    expect(output.end).toBe(bytes)
    const { text, lost, next } = readAll(new OutputFile(folder, 'output', mib))
    expect(text.startsWith(line(0) + line(1))).toBe(true)
    expect(text.endsWith(line(lines - 2) + line(lines - 1))).toBe(true)
    expect(lost).toBe(output.cutBytes)
    expect(text.length + lost).toBe(bytes)
    expect(next).toBe(bytes)
    expect(text.length).toBeLessThanOrEqual(mib)
    // Who had read as far as the last lines reads on there.
    expect(readAll(output, bytes - 2 * line(0).length).text).toBe(line(lines - 2) + line(lines - 1))
  })

  it('can be read in slices that end anywhere at the place of a cut', () => {
    const folder = made()
    writeFileSync(folder.file('output'), `${'a'.repeat(mib)}${'b'.repeat(mib)}`)
    const output = new OutputFile(folder, 'output', mib)
    const gone = output.cut()
    const read = (from: number, count: number) => {
      const { bytes, ...rest } = output.read(from, count)
      return { text: bytes.toString(), ...rest }
    }
    const head = mib / 2
    expect(read(head - 2, 10)).toEqual({ text: 'aa', from: head - 2, next: head, lost: 0 })
    expect(read(head, 3)).toEqual({ text: 'bbb', from: head + gone, next: head + gone + 3, lost: gone })
    expect(read(head + 7, 3)).toEqual({ text: 'bbb', from: head + gone, next: head + gone + 3, lost: gone - 7 })
    expect(read(2 * mib, 3)).toEqual({ text: '', from: 2 * mib, next: 2 * mib, lost: 0 })
  })

  it('U53 runOutputBytes bounds it while the agent goes on writing', async () => {
    const watch = await launched(newHome(), sh('yes'))
    const output = new OutputFile(watch.folder, 'output', mib)
    let cuts = 0
    await until(() => {
      if (output.cut() > 0) cuts += 1
      return cuts >= 3
    })
    await endProcesses(watch.folder, watch.shim, 10_000)
    output.cut()
    const { text, lost } = readAll(output)
    expect(text.length).toBeLessThanOrEqual(mib)
    expect(lost).toBe(output.cutBytes)
    expect(text.slice(-2).includes('y')).toBe(true)
  })

  it('that was replaced by a link is read no more', async () => {
    const home = newHome()
    writeFileSync(join(home, 'secret'), 'secret')
    const watch = await launched(home, sh('echo said'))
    await ending(watch)
    rmSync(watch.folder.file('output'))
    symlinkSync(join(home, 'secret'), watch.folder.file('output'))
    expect(readAll(new OutputFile(watch.folder, 'output', mib)).text).toBe('')
  })
})

describe('lines of output', () => {
  it('are the same however they arrive', () => {
    const text = Buffer.from('eins\nzwölf\n\nlast')
    for (let size = 1; size <= text.length; size++) {
      const lines = new Lines()
      const found: string[] = []
      for (let at = 0; at < text.length; at += size) found.push(...lines.take(text.subarray(at, at + size)))
      expect([...found, ...lines.last()]).toEqual(['eins', 'zwölf', '', 'last'])
    }
  })

  it('that do not end are cut, with a count of what is missing', () => {
    const lines = new Lines()
    const bytes = Buffer.alloc(mib, 'x')
    for (let at = 0; at < 3; at++) expect(lines.take(bytes)).toEqual([])
    const [line] = lines.take(Buffer.from('y\n'))
    expect(line).toBe(`${'x'.repeat(mib)} [… ${2 * mib + 1} bytes cut]`)
    expect(lines.take(Buffer.from('next\n'))).toEqual(['next'])
    expect(lines.last()).toEqual([])
  })
})
