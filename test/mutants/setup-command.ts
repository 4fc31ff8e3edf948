// Faults in `cairn setup`.
import type { Mutant } from './mutant.ts'

const folder = 'src/surfaces/cli/setup'
const edits = ['test/setup-command/edits.test.ts']
const setUp = ['test/setup-command/set-up.test.ts']
const there = ['test/setup-command/what-is-there.test.ts']
const refusals = ['test/setup-command/refusals.test.ts']

export const ofSetup: readonly Mutant[] = [
  {
    name: 'setup: files that were put in place stay there after a fault',
    file: `${folder}/files/replace-files.ts`,
    find: '      undo.push(() => restore(change))\n',
    replace: '',
    tests: refusals,
  },
  {
    name: 'setup: what a killed one left stays in the folder',
    file: `${folder}/files/replace-files.ts`,
    find: '  removeLeftovers(change.real)\n',
    replace: '',
    tests: refusals,
  },
  {
    name: 'setup: a file that changed meanwhile is overwritten',
    file: `${folder}/files/replace-files.ts`,
    find: '    if (textOf(real) === before) continue\n',
    replace: '    if (real) continue\n',
    tests: setUp,
  },
  {
    name: 'setup: the mode of a file is lost',
    file: `${folder}/files/replace-files.ts`,
    find: 'if (mode !== undefined) fchmodSync(file, mode)',
    replace: '',
    tests: there,
  },
  {
    name: 'setup: a link is replaced by a file',
    file: `${folder}/files/config-file.ts`,
    find: 'return { real: realpathSync(path), text,',
    replace: 'return { real: path, text,',
    tests: there,
  },
  {
    name: 'setup: a read-only file is replaced',
    file: `${folder}/files/config-file.ts`,
    find: 'if ((mode & 0o200) === 0)',
    replace: 'if (mode === 0)',
    tests: refusals,
  },
  {
    name: 'setup: Cairn under another name gets a second entry',
    file: `${folder}/pieces.ts`,
    find: '    if (other === name || !isCairn(entry)) continue\n',
    replace: '    if (other !== undefined) continue\n',
    tests: refusals,
  },
  {
    name: 'setup: earlier runs are forgotten by the next',
    file: `${folder}/plan.ts`,
    find: 'layers: [...(before?.layers ?? []), {',
    replace: 'layers: [{',
    tests: there,
  },
  {
    name: 'setup: lists that were made stay behind empty',
    file: `${folder}/pieces.ts`,
    find: 'if (work.text !== edited) work.made.push(...missing)',
    replace: '',
    tests: there,
  },
  {
    name: 'setup: a variable of another store stays in the entry',
    file: `${folder}/entry-changes.ts`,
    find: "const ofStore = ['CAIRN_HOME', 'CAIRN_STORE']",
    replace: "const ofStore = ['CAIRN_HOME']",
    tests: edits,
  },
  {
    name: 'setup: a comma too few behind a commented member',
    file: `${folder}/jsonc/edit.ts`,
    find: "    { at: last.end, took: '', put: ',' },\n",
    replace: '',
    tests: edits,
  },
  {
    name: 'setup: a table that is removed takes the comment of the next with it',
    file: `${folder}/toml/edit.ts`,
    find: '    const until = lineEnd(text, endOf(each))\n',
    replace: '    const until = lineEnd(text, lineEnd(text, endOf(each)))\n',
    tests: edits,
  },
]
