import { agent } from '../agent/commands.ts'
import { blob } from '../blobs/commands.ts'
import { completion } from '../completion/commands.ts'
import { demo } from '../demo/commands.ts'
import { init, onboard } from '../folders/commands.ts'
import { help, version } from '../help/commands.ts'
import { mcp } from '../mcp/commands.ts'
import { down, serve, ui, up } from '../server/commands.ts'
import { setup } from '../setup/commands.ts'
import { tour } from '../tour/commands.ts'
import { trust } from '../trust/commands.ts'
import { attach, logs, resume, run, watch } from '../workflow/commands.ts'
import type { OwnCommand } from './own-command.ts'

/** Every command that is no operation: the only list. */
export const ownCommands: readonly OwnCommand[] = [
  setup,
  tour,
  demo,
  init,
  onboard,
  trust,
  agent,
  run,
  watch,
  logs,
  attach,
  resume,
  serve,
  up,
  ui,
  down,
  mcp,
  blob,
  completion,
  version,
  help,
]

/** The command that these words name, if it is none of the operations. */
export function ownCommand([word, ...more]: readonly string[]): OwnCommand | undefined {
  return more.length > 0 ? undefined : ownCommands.find((command) => command.word === word)
}
