import { printJson, printOut } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'

export async function showVersion(called: Called): Promise<number> {
  argumentsOf(called)
  const { version } = called.program
  if (called.json) printJson({ version })
  else printOut(`${version}\n`)
  return 0
}
