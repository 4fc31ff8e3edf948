import type { Json, JsonObject } from '../../../json/value.ts'
import { jsonOf, memberOf, readDocument } from './jsonc/document.ts'
import { addingItem, nodeAt, removingItem, removingMember, settingMember } from './jsonc/edit.ts'
import type { Edits } from './text/edits.ts'
import { readToml } from './toml/document.ts'
import { addingTable, placeOf, removing, settingValue, tableAt } from './toml/edit.ts'

type Path = readonly string[]

export type Syntax = 'json' | 'jsonc' | 'toml'

/** What can be done to the text of a configuration, whatever its syntax. All of it throws a `TextFault`. */
export interface Editor {
  /** A text that says nothing. */
  readonly blank: string
  isBlank(text: string): boolean
  at(text: string, path: Path): Json | undefined
  /** The offset where something stands. */
  placeOf(text: string, path: Path): number | undefined
  addEntry(text: string, path: Path, entry: JsonObject): Edits
  set(text: string, path: Path, value: Json): Edits
  remove(text: string, path: Path): Edits
  addItem(text: string, path: Path, item: string): Edits
  removeItem(text: string, path: Path, item: string): Edits
}

const editors: Readonly<Record<Syntax, Editor>> = {
  json: jsonEditor(false),
  jsonc: jsonEditor(true),
  toml: tomlEditor(),
}

export function editorOf(syntax: Syntax): Editor {
  return editors[syntax]
}

function jsonEditor(comments: boolean): Editor {
  const at: Editor['at'] = (text, path) => {
    const node = nodeAt({ text, comments }, path)
    return node && jsonOf(node)
  }
  return {
    blank: '{}\n',
    isBlank: (text) => /^\ufeff?\s*\{\s*\}\s*$/.test(text),
    at,
    placeOf(text, path) {
      const above = path.length === 0 ? undefined : nodeAt({ text, comments }, path.slice(0, -1))
      if (above === undefined) return readDocument(text, { comments }).start
      return memberOf(text, above, path.at(-1) as string)?.start
    },
    addEntry: (text, path, entry) => settingMember({ text, comments }, path, entry),
    set: (text, path, value) => settingMember({ text, comments }, path, value),
    remove: (text, path) => removingMember({ text, comments }, path),
    addItem: (text, path, item) => addingItem({ text, comments }, path, item),
    removeItem: (text, path, item) => removingItem({ text, comments }, path, item),
  }
}

function tomlEditor(): Editor {
  const noLists = () => {
    throw new Error('setup keeps no lists in TOML')
  }
  return {
    blank: '',
    isBlank: (text) => readToml(text).length === 0 && text.trim() === '',
    at: tableAt,
    placeOf,
    addEntry: addingTable,
    set: settingValue,
    remove: removing,
    addItem: noLists,
    removeItem: noLists,
  }
}
