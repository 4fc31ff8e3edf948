import { integer, list, optional, text } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { upkeep } from '../operation.ts'

/** A path of the machine that has the store: whoever asks may be in another folder. */
function checkAbsolute(path: string): Refusal | undefined {
  if (path.startsWith('/')) return undefined
  const hint = 'Give the whole path, from / on.'
  return refuse('invalid_input', `${JSON.stringify(path)} is not an absolute path.`, hint, { path: 'dirs' })
}

const dir = text('A folder, by its absolute path.', { max: 4096, check: checkAbsolute })

export const projectInit = upkeep({
  name: 'project.init',
  summary: 'Keep a session folder for each root of a working directory from now on.',
  command: { words: [] },
  input: { project: dir },
  async run(input, tools) {
    const refusal = await tools.openProject(input.project)
    return refusal instanceof Refusal ? refusal : { project_dir: input.project }
  },
})

export const projectOnboard = upkeep({
  name: 'project.onboard',
  summary: 'Take in the session folders of projects, with all of their history; nothing is written into them.',
  command: { words: [] },
  input: {
    dirs: list('Projects, or session folders themselves.', dir),
    offset: optional(integer('How many of their folders to leave out; default 0.')),
    limit: optional(integer('How many to look at; default all.', { min: 1 })),
  },
  run: ({ dirs, offset = 0, limit = Number.MAX_SAFE_INTEGER }, tools) => tools.onboard(dirs, { offset, limit }),
})
