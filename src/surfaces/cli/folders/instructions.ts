import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'

const begin = '<!-- cairn: begin (written by cairn init; edits between these lines are replaced) -->'
const end = '<!-- cairn: end -->'

/** What agents of a project are told, whatever program they run in. */
const lines = `## Cairn

The state of the work in this repository is kept by Cairn: what agents share, the plan, decisions, blockers, and where things stand.
Each piece of work has a folder in \`agents/sessions/\`. Read \`STATE.md\` and \`state.json\` there, but never edit them: use the tools of Cairn
(MCP) or the command \`cairn\`, and they are rewritten. \`spec.md\`, \`plan.json\`, \`research/\` and \`debug/\` are yours.

- **At the start of any work**: \`cairn brief\`. **At the end**: \`cairn next "what comes next"\`.
- **Worker**: read STATE.md first; say which task you are on (\`cairn position\`, \`cairn task claim\`, \`cairn task done\`), note what went otherwise
  than planned (\`cairn note\`).
- **Architect**: set up phases, plans and tasks (\`cairn phase add\`, \`cairn plan add\`, \`cairn task add\`), and record why (\`cairn decide\`).
- **Orchestrator**: watch blockers (\`cairn needs\`), resume work when they are resolved (\`cairn unblock\`), and hand over between sittings
  (\`cairn sitting end\`).
- **Verifier**: read the decisions first (\`cairn journal\`), then record what you found (\`cairn journal update --verified\`, \`cairn block\`).`

/** The file with the block in it; as it is where it has that already. */
export function withBlock(text: string): string {
  const block = `${begin}\n${lines}\n${end}\n`
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from >= 0 && to > from) return text.slice(0, from) + block + text.slice(to + end.length).replace(/^\r?\n/, '')
  if (text === '') return block
  return `${text}${text.endsWith('\n') ? '' : '\n'}\n${block}`
}

/** A file that agents' programs read, and what would become of it. */
export interface Instructions {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** AGENTS.md, made where there is none, and CLAUDE.md where there is one. */
export function instructionsIn(project: string): Instructions[] {
  return ['AGENTS.md', 'CLAUDE.md'].flatMap((name) => {
    const path = join(project, name)
    if (name === 'CLAUDE.md' && !existsSync(path)) return []
    const before = readText(path)
    const after = withBlock(before)
    return before === after ? [] : [{ path, before, after }]
  })
}

/** Replaces a file as a whole, unless somebody changed it since it was shown. */
export function write({ path, before, after }: Instructions): void {
  if (readText(path) !== before) {
    throw new CairnRefusal(refuse('version_conflict', `${path} was changed in the meantime.`, 'Run cairn init again.'))
  }
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, after)
  renameSync(temporary, path)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new CairnRefusal(refuse('storage_error', `${path} cannot be read (${code}).`, 'Check who owns it.'))
  }
}
