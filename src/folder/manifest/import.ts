import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import { isPassing, type Perform } from '../inbox.ts'
import { differences } from './differences.ts'
import { readManifest } from './read.ts'

/**
 * Makes of what the log says what somebody wrote into the manifest, by ordinary operations. Undefined when that is done; the refusal of
 * the first that cannot be; `later` where the store takes none at present.
 */
export async function importManifest(
  rendered: string,
  edited: string,
  project: string,
  perform: Perform,
): Promise<Refusal | 'later' | undefined> {
  const present = readManifest(rendered)
  const wanted = readManifest(edited)
  if (wanted instanceof Refusal) return wanted
  if (present instanceof Refusal) throw new Error(`a rendered manifest cannot be read: ${present.message}`)
  const asked = differences(present, wanted, project)
  if (asked instanceof Refusal) return asked
  for (const [operation, input] of asked) {
    try {
      await perform(operation, input)
    } catch (error) {
      if (!(error instanceof CairnRefusal)) throw error
      return isPassing(error.refusal) ? 'later' : error.refusal
    }
  }
  return undefined
}
