import { Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import type { Destination } from '../../../home/destination.ts'
import { FileModes } from '../../../home/file-modes.ts'
import { InstallTokenFile } from '../../../home/owner-token.ts'
import { printNote, safe } from '../output.ts'
import { terminalOf } from '../terminal.ts'
import { labelled } from '../wrap.ts'

/** Makes the file of the owner's token private, if others can read it, and says what that means. */
export function closeOpenToken(destination: Destination): void {
  const config = loadConfig(destination)
  if (config instanceof Refusal || destination.token !== undefined) return
  const { path } = new InstallTokenFile(config.home)
  const modes = new FileModes(config.home, config.store)
  if (!modes.open().includes(path)) return
  modes.close()
  const text = `others could read ${safe(path)} until now. Replace the token: cairn token rotate install`
  printNote(`${labelled('note:', 'yellow', text, terminalOf(2))}\n`)
}
