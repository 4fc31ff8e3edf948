import { Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { FileModes } from '../../../home/file-modes.ts'
import { InstallTokenFile } from '../../../home/owner-token.ts'
import { printNote, safe } from '../output.ts'
import type { Asked } from '../registry/presentation.ts'
import type { Request } from '../request.ts'
import { terminalOf } from '../terminal.ts'
import { labelled } from '../wrap.ts'

/** A repair begins with the token: whoever asks a server needs it, and one that others can read is not used. */
export function closeOpenToken({ request: { home, store, input } }: Asked): Request['input'] {
  if (input.repair === true) makePrivate({ home, store })
  return input
}

/** Makes the file of the owner's token private, if others can read it, and says what that means. */
function makePrivate(place: Pick<Request, 'home' | 'store'>): void {
  const destination = destinationHere(place)
  const config = loadConfig(destination)
  if (config instanceof Refusal || destination.token !== undefined) return
  const { path } = new InstallTokenFile(config.home)
  const modes = new FileModes(config.home, config.store)
  if (!modes.open().includes(path)) return
  modes.close()
  const text = `others could read ${safe(path)} until now. Replace the token: cairn token rotate install`
  printNote(`${labelled('note:', 'yellow', text, terminalOf(2))}\n`)
}
