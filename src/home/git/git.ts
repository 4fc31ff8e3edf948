import { type ChildProcess, spawn } from 'node:child_process'
import { type Environment, plainEnvironment } from '../plain-environment.ts'

/** How a command of git ended. */
export interface GitAnswer {
  /** Undefined where there is no git, or it was ended. */
  readonly status: number | undefined
  readonly out: string
  /** Its reason, as one line. */
  readonly why: string
  readonly isMissing: boolean
}

export type Git = (folder: string, ...words: readonly string[]) => Promise<GitAnswer>

/** Writing all files of the largest repositories takes minutes; what takes longer waits for something that will not come. */
const gitMsMax = 15 * 60_000
/** What is read of its output: a list of work trees, or reasons. */
const outCharsMax = 4 * 1024 * 1024
const whyCharsMax = 500

/** Nothing of the repository runs by it, nobody is asked for anything, and nothing is tidied up on the way. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

const fixed = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  // Whoever makes a branch stands in its reflog; who that is nobody may have told git here.
  GIT_COMMITTER_NAME: 'Cairn',
  GIT_COMMITTER_EMAIL: 'cairn@localhost',
}

/** Git in the environment that any program gets, without the secrets of this one, and without a terminal. */
export function gitOf(environment: Environment, more: Readonly<Record<string, string>> = {}): Git {
  const env = { ...plainEnvironment(environment), ...fixed, ...more }
  return (folder, ...words) =>
    new Promise((resolve) => {
      // In a session of its own it has no terminal to ask on, and goes on when this process is interrupted.
      const child = spawn('git', ['--no-pager', ...settings, '-C', folder, ...words], {
        cwd: '/',
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: gitMsMax,
      })
      const [out, errors] = [collected(child.stdout), collected(child.stderr)]
      child.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ status: undefined, out: '', why: error.message, isMissing: error.code === 'ENOENT' }),
      )
      child.on('close', (status, signal) =>
        resolve({
          status: status ?? undefined,
          out: out(),
          why: oneLine(errors()) || (signal === null ? '' : `git was ended by ${signal}`),
          isMissing: false,
        }),
      )
    })
}

function collected(stream: ChildProcess['stdout']): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < outCharsMax) text += more
  })
  return () => text
}

/** What git says last is what stopped it; before that it says what it does, and warns. */
function oneLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const fatal = lines.filter((line) => /^(?:fatal|error): /.test(line))
  return (fatal.length > 0 ? fatal : lines.slice(-1)).join(' ').replace(/\p{C}/gu, ' ').slice(0, whyCharsMax).trim()
}
