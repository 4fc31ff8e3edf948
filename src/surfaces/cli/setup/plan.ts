import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { serverName } from '../mcp/client-entry.ts'
import { type ConfigFile, checkWritable, readConfigFile } from './files/config-file.ts'
import { hashOf, type Receipt, receiptChange, receiptFile, receiptIn, unwound } from './files/receipt.ts'
import type { FileChange } from './files/replace-files.ts'
import { withoutPieces, withPieces } from './pieces.ts'
import { editorOf } from './syntaxes.ts'
import type { Target } from './targets.ts'
import { TextFault } from './text/text-fault.ts'

/** What setup is about to do to a file, and the receipt of it. */
export interface PlannedChange {
  readonly file: FileChange
  readonly receipt: FileChange
  /** Folders that are removed if nothing is left in them. */
  readonly emptied: readonly string[]
}

/** Undefined where the file says what is wanted already. */
export function planSetup(target: Target, home: string): PlannedChange | undefined {
  const file = readConfigFile(target.path)
  const { text, folders } = file
  const work = locating(file, () => withPieces(text ?? editorOf(target.syntax).blank, target.syntax, target.pieces))
  if (work.batches.length === 0) return undefined
  const kept = receiptFile(home, file.real)
  const before = text === undefined ? undefined : receiptIn(kept)
  const receipt: Receipt = {
    path: target.path,
    made: before?.made ?? text === undefined,
    folders: before?.folders ?? folders,
    layers: [...(before?.layers ?? []), { after: hashOf(work.text), batches: work.batches, made: work.made }],
  }
  const mode = file.mode ?? (target.isPrivate ? 0o600 : undefined)
  const change: FileChange = { ...file, before: text, after: work.text, mode }
  return checked(file, { file: change, receipt: receiptChange(kept, receipt), emptied: [] }, kept)
}

/** Undefined where nothing of setup is in the file. */
export function planRemoval(target: Target, home: string): PlannedChange | undefined {
  const file = readConfigFile(target.path)
  const kept = receiptFile(home, file.real)
  const receipt = receiptIn(kept)
  const after = locating(file, () => textWithout(file, target, receipt))
  if (after === file.text && kept.text === undefined) return undefined
  const change: FileChange = { ...file, folders: [], before: file.text, after }
  const emptied = after === undefined ? (receipt?.folders ?? []) : []
  return checked(file, { file: change, receipt: receiptChange({ ...kept, folders: [] }, undefined), emptied }, kept)
}

/** Undefined where no file is left. */
function textWithout(
  { text }: ConfigFile,
  { syntax, pieces }: Target,
  receipt: Receipt | undefined,
): string | undefined {
  if (text === undefined) return undefined
  const { layers = [], made: isMade = false } = receipt ?? {}
  const back = unwound(text, layers)
  if (receipt !== undefined && back.left.length === 0) return isMade ? undefined : back.text
  const made = layers.flatMap((layer) => layer.made)
  const without = withoutPieces(back.text, syntax, pieces, made).text
  return isMade && editorOf(syntax).isBlank(without) ? undefined : without
}

/** A file that stays as it is need not be writable. */
function checked(file: ConfigFile, planned: PlannedChange, kept: ConfigFile): PlannedChange {
  if (planned.file.before !== planned.file.after) checkWritable(file)
  checkWritable(kept)
  return planned
}

/** A fault in a text as a refusal that names file and line. */
export function locating<Out>(file: Pick<ConfigFile, 'path'>, edit: () => Out): Out {
  try {
    return edit()
  } catch (error) {
    if (!(error instanceof TextFault)) throw error
    const { line, column, code, message } = error
    const hint =
      code === 'already_exists'
        ? `Nothing was changed. Remove that entry, or make it the server "${serverName}", then run again.`
        : 'Nothing was changed. Correct that line, then run again.'
    const details = { path: file.path, line, column }
    throw new CairnRefusal(refuse(code, `${file.path}, line ${line}, column ${column}: ${message}.`, hint, details))
  }
}
