import { OutputFile } from '../../../runner/processes/output-file.ts'
import { RunFolder } from '../../../runner/processes/run-folder.ts'
import type { AgentShown } from './status-shown.ts'
import { visibleText } from './visible-text.ts'

/** A line is in these last bytes of what was put out, or too long for any screen. */
const tailBytes = 2048
const charsMax = 300

/** Gives the last line that the run of an agent has put out on this machine, as a terminal can show it. */
export function lastLineSaid(home: string): (agent: AgentShown) => string {
  return ({ run }) => {
    if (run === null || !/^[\w-]{1,128}$/.test(run)) return ''
    const output = new OutputFile(new RunFolder(home, run), 'output', Number.POSITIVE_INFINITY)
    const { end } = output
    const { bytes } = output.read(Math.max(0, end - tailBytes), tailBytes)
    const lines = visibleText(bytes.toString('utf8')).split('\n')
    return (
      lines
        .findLast((line) => line.trim() !== '')
        ?.trim()
        .slice(0, charsMax) ?? ''
    )
  }
}
