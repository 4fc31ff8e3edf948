import { spawn } from 'node:child_process'
import { printJson, printNote, printOut } from '../output.ts'
import { argumentsOf, isSet } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { newLogin } from './up.ts'

/** `cairn ui`: the dashboard in a browser, logged in; with `--print`, or where no browser can be opened, its link. */
export async function runUi(called: Called): Promise<number> {
  const given = argumentsOf(called)
  const { url, login } = await newLogin(given, called)
  if (called.json) printJson({ url: `${url}/ui/`, login })
  else if (isSet(given, 'print')) printOut(`${login}\n`)
  else if (await opens(login)) printOut(`Opened ${url}/ui/ in your browser.\n`)
  else {
    printNote('No browser can be opened from here. Open this link within two minutes; it works once:\n')
    printOut(`${login}\n`)
  }
  return 0
}

/** Whether the system took the link. It is seen in the list of processes for a moment, where it is worthless once it was used. */
function opens(link: string): Promise<boolean> {
  const opener = openers[process.platform] ?? openers.linux
  if (opener === undefined || !opener.isThere()) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(opener.command, [...opener.args, link], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.unref()
  })
}

interface Opener {
  readonly command: string
  readonly args: readonly string[]
  isThere(): boolean
}

const openers: Readonly<Record<string, Opener>> = {
  darwin: { command: 'open', args: [], isThere: () => true },
  win32: { command: 'rundll32', args: ['url.dll,FileProtocolHandler'], isThere: () => true },
  // Without a display the command would start a browser in the terminal.
  linux: {
    command: 'xdg-open',
    args: [],
    isThere: () => Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY),
  },
}
