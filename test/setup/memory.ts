// Files that are run by hand, with vitest itself, have a folder for what they make as whole runs have.
import { rmSync } from 'node:fs'
import { newRunFolder } from '../suite/run-folder.ts'

export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined) return undefined
  const folder = newRunFolder()
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
