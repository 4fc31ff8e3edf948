import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { unreadable } from '../sources.ts'

/** A file that names commands, as it was read, and the lines that name them. */
export interface NamingFile {
  readonly path: string
  readonly content: Buffer
  readonly lines: readonly string[]
}

/** A workflow is far shorter; what is longer is not read. */
const fileBytesMax = 1024 * 1024
/** How deep and how many: a repository is looked through, not a disk. */
const depthMax = 6
const entriesMax = 20_000
const linesShownMax = 20

const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules', 'dist', 'build', 'target', '.venv', 'vendor'])

/** What makes a YAML or JSON file one that says what is to run: a list of agents, phases or stages. */
const isWorkflow = /^\s*["']?(?:agents|phases|stages)["']?\s*:/m
/** Where a command, or what is handed to one, is named. */
const namesCommand = /\b(?:run|command|cmd|script|args|env|use|adapter|flags)["']?\s{0,20}:/

/** The files of a folder that name commands, or the one file that was named, whatever it is. */
export function namingFiles(named: string): NamingFile[] {
  const found = statSync(named, { throwIfNoEntry: false })
  if (found === undefined)
    throw new CairnRefusal(refuse('not_found', `There is no file or folder ${named}.`, 'Check the path.'))
  if (!found.isDirectory()) return [readNamed(named)]
  const files: NamingFile[] = []
  const left = { entries: entriesMax }
  look(named, 0, left, files)
  if (left.entries <= 0) throw new CairnRefusal(tooMany(named))
  return files
}

function look(folder: string, depth: number, left: { entries: number }, files: NamingFile[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    left.entries -= 1
    if (left.entries <= 0) return
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (depth < depthMax && !skipped.has(entry.name)) look(path, depth + 1, left, files)
      continue
    }
    if (!entry.isFile() || !/\.(?:ya?ml|json)$/i.test(entry.name)) continue
    const content = readPlain(path)
    if (content !== undefined && isWorkflow.test(content.toString())) files.push(naming(path, content))
  }
}

function readNamed(path: string): NamingFile {
  let content: Buffer | undefined
  try {
    content = readPlain(path)
  } catch (error) {
    throw unreadable(error, path)
  }
  if (content === undefined) {
    const message = `${path} is not a plain file of at most 1 MiB.`
    throw new CairnRefusal(refuse('invalid_input', message, 'Name a workflow file, or the folder that it is in.'))
  }
  return naming(path, content)
}

/** Undefined for what is no plain file, or is too long. Opening a pipe must not wait for somebody to write to it. */
function readPlain(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(file)
    return fstatSync(file).isFile() && size <= fileBytesMax ? readFileSync(file) : undefined
  } finally {
    closeSync(file)
  }
}

function naming(path: string, content: Buffer): NamingFile {
  const lines = content
    .toString()
    .split('\n')
    .filter((line) => namesCommand.test(line))
  const more = lines.length - linesShownMax
  return { path, content, lines: [...lines.slice(0, linesShownMax), ...(more > 0 ? [`… and ${more} more lines`] : [])] }
}

function tooMany(folder: string) {
  const hint = 'Name the file itself, or the folder that it is in.'
  return refuse('invalid_input', `${folder} has more than ${entriesMax} files.`, hint, { limit_value: entriesMax })
}
