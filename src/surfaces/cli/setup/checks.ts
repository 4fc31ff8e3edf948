import type { Json } from '../../../json/value.ts'
import { isCairn, serverName } from '../mcp/client-entry.ts'
import { readConfigFile } from './files/config-file.ts'
import { type ItemPiece, type Path, refuseOtherName } from './pieces.ts'
import { locating } from './plan.ts'
import { editorOf } from './syntaxes.ts'
import type { Placement, ReadFile, Target } from './targets.ts'
import { lineAt, TextFault } from './text/text-fault.ts'

/** Lists of Claude Code's settings that would keep the server from working. */
const opposing: readonly Path[] = [['disabledMcpjsonServers'], ['permissions', 'deny']]

const isAboutCairn = (item: Json) =>
  typeof item === 'string' && (item === serverName || /^mcp__cairn(?:__|$)/.test(item))

/** What else the program reads that bears on the server: refuses a second entry, and warns of what stands against it. */
export function warningsAbout({ others, settings }: Placement): string[] {
  const elsewhere = others.flatMap((file) =>
    looking(file, (text) => {
      const editor = editorOf(file.syntax)
      locating(file, () => refuseOtherName(text, editor, file.servers, serverName))
      const path = [...file.servers, serverName]
      if (!isCairn(editor.at(text, path))) return []
      const line = lineAt(text, editor.placeOf(text, path) ?? 0)
      return [`${file.path}, line ${line}: Cairn is also set up here; the program uses one of the two.`]
    }),
  )
  const against = settings.flatMap((file) =>
    looking(file, (text) =>
      opposing.flatMap((path) => {
        const items = editorOf(file.syntax).at(text, path)
        if (!Array.isArray(items) || !items.some(isAboutCairn)) return []
        const line = lineAt(text, editorOf(file.syntax).placeOf(text, path) ?? 0)
        return [`${file.path}, line ${line}: ${path.join('.')} keeps Claude Code from using Cairn.`]
      }),
    ),
  )
  return [...elsewhere, ...against]
}

/** The targets without what other settings of the program say already. */
export function wantedTargets({ targets, settings }: Placement): Target[] {
  return targets.map((target) => {
    const others = settings.filter(({ path }) => path !== target.path)
    const isSaid = ({ path, item }: ItemPiece) =>
      others.some((file) =>
        looking(file, (text) => {
          const items = editorOf(file.syntax).at(text, path)
          return Array.isArray(items) && items.includes(item) ? [true] : []
        }).includes(true),
      )
    return { ...target, pieces: target.pieces.filter((piece) => piece.kind === 'entry' || !isSaid(piece)) }
  })
}

/** What a file that is only looked at says; one that cannot be read says nothing. */
function looking<Found>(file: ReadFile, look: (text: string) => Found[]): Found[] {
  let text: string | undefined
  try {
    text = readConfigFile(file.path).text
    if (text !== undefined) editorOf(file.syntax).at(text, [])
  } catch {
    return []
  }
  try {
    return text === undefined ? [] : look(text)
  } catch (error) {
    if (error instanceof TextFault) return []
    throw error
  }
}
