import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { hasControls } from '../../domain/log/text/plain-text.ts'
import { upkeepOfRoot } from '../operation.ts'

/** Whatever it is on the disk: a path here names what is in the folder, from its top on. */
function checkInside(path: string): Refusal | undefined {
  const steps = path.split('/')
  const leaves = steps.some((step) => step === '..' || step === '.' || step === '') || hasControls(path)
  if (!leaves) return undefined
  const hint = 'Give it as folder.list shows it, such as research/notes.md.'
  return refuse('invalid_input', `${JSON.stringify(path)} is not the path of a file in the folder.`, hint, {
    path: 'path',
  })
}

const path = text('The file, by its path in the folder.', { max: 1024, check: checkInside })

/** Bytes of one answer. */
const readMax = 1024 * 1024

export const folderList = upkeepOfRoot({
  name: 'folder.list',
  summary: 'List the files in the session folder of a root.',
  command: { words: ['folder ls'], positional: ['session'] },
  reach: 'root',
  looks: true,
  input: {},
  async run(_input, tools, { root, rootId }) {
    const found = await tools.files.list(root)
    return 'files' in found ? { root_session_id: rootId, ...found } : found
  },
})

export const folderRead = upkeepOfRoot({
  name: 'folder.read',
  summary: 'Read a file in the session folder of a root: text as it is, other bytes in base64.',
  command: { words: ['folder read'], positional: ['path'] },
  reach: 'root',
  looks: true,
  input: {
    path,
    offset: optional(integer('From this byte on; default 0.')),
    limit: optional(integer('Maximum number of bytes; default all up to the maximum.', { min: 1, max: readMax })),
  },
  async run({ path, offset = 0, limit = readMax }, tools, { root, rootId }) {
    const found = await tools.files.read(root, path, { offset, limit })
    return 'path' in found ? { root_session_id: rootId, ...found } : found
  },
})
