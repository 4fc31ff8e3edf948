import type { OperationName } from '../commands.ts'

/** What people type most, as they would type it. */
export const examples: Partial<Record<OperationName, readonly string[]>> = {
  'session.create': [
    'cairn session create --topic "Faster parser"',
    'cairn session create --topic "Profile it" --name profile --parent 3f9a1c0b',
  ],
  'session.list': ['cairn ls --all --project .'],
  'session.tree': ['cairn tree'],
  'session.end': ['cairn session end profile --status failed --reason "no input"'],
  'project.use': ['cairn use 3f9a1c0b'],
  'state.init': [`cairn state init '{"done": 0, "findings": []}'`],
  'state.get': ['cairn state get done', 'cairn state get done --at 5'],
  'state.all': ['cairn state get --prefix build/'],
  'state.set': [
    `cairn state set name '"text"'`,
    'cairn state set done 2 --version 1',
    'cairn state set report @report.json',
  ],
  'state.replace': ['cairn state replace @state.json --version 4'],
  'state.increment': ['cairn state increment done', 'cairn state increment budget -5'],
  'state.append': [`cairn state append findings '["slow lexer"]'`],
  'state.merge': [`cairn state merge config '{"retries": 3, "old": null}'`],
  'state.batch': [
    `cairn state batch '[{"op": "increment", "key": "done"}, {"op": "set", "key": "last", "value": "a"}]'`,
    'cairn state batch changes.json',
  ],
  'lease.claim': ['cairn lease claim build --ttl 30s'],
  'log.list': ['cairn log --since 40', 'cairn log --stream state --json'],
}
