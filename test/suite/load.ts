// What else a busy machine does: a loop for each core, and somebody who writes and waits for the disk.
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const busy = 'for (;;) Math.sqrt(Math.random())'
const writing = `
const { openSync, writeSync, fsyncSync } = require('node:fs')
const file = openSync(process.argv[1], 'w')
const page = Buffer.alloc(64 * 1024, 1)
for (let at = 0; ; at = (at + 1) % 256) { writeSync(file, page, 0, page.length, at * page.length); fsyncSync(file) }`

/** Starts it; gives the way to end it. `file` is on the disk that is to be busy. */
export function loadMachine(file: string): () => void {
  const run = (code: string, ...args: string[]) => {
    const child = spawn(process.execPath, ['-e', code, ...args], { stdio: 'ignore', env: { PATH: process.env.PATH } })
    // Whoever is done ends, and ends it then.
    child.unref()
    return child
  }
  const loops: ChildProcess[] = Array.from({ length: availableParallelism() }, () => run(busy))
  const all = [...loops, run(writing, file)]
  return () => {
    for (const child of all) child.kill('SIGKILL')
  }
}
