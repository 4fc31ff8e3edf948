import { existsSync } from 'node:fs'
import { LocalPerformer } from '../../../client/local.ts'
import { sleep } from '../../../clock.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { type Destination, destinationHere } from '../../../home/destination.ts'
import { meantHere } from '../../../home/session-meant.ts'
import { keyNames, sessionNames } from '../../../operations/completion.ts'
import { operations } from '../../../operations/index.ts'
import { printOut, safe } from '../output.ts'
import { bashReply, readBashLine } from './bash-line.ts'
import { type Candidate, type CompletionRequest, completionRequestOf } from './completion-request.ts'
import { isShell } from './shells.ts'

/** Whoever presses a key does not wait longer for a store that does not answer. */
const patienceMs = 1500

/** The hidden command `cairn __complete SHELL …`. Nothing goes wrong here: at worst nothing is offered. */
export async function complete([shell, ...given]: readonly string[]): Promise<void> {
  if (!isShell(shell)) return
  const line = shell === 'bash' ? readBashLine(given[0] ?? '') : undefined
  const request = completionRequestOf(line === undefined ? unquoted(given) : afterProgram(line.words))
  const found = await offered(request)
  const texts = found.map(({ word, about }) => {
    const whole = request.lead + word
    return line === undefined ? `${safe(whole)}\t${safe(about)}` : bashReply(whole, line)
  })
  printOut(texts.map((text) => `${text}\n`).join(''))
}

/** Assignments and other programs may stand before it. */
function afterProgram(words: readonly string[]): string[] {
  return words.slice(words.findIndex((word) => /(?:^|\/)cairn$/.test(word)) + 1)
}

/** The word being typed may have a quote that is not closed yet. */
function unquoted(words: readonly string[]): string[] {
  return words.map((word, at) => (at === words.length - 1 ? word.replace(/^["']/, '') : word))
}

async function offered(request: CompletionRequest): Promise<Candidate[]> {
  const named = request.names.size === 0 ? [] : await Promise.race([namesIn(request), sleep(patienceMs).then(() => [])])
  const unique = new Map<string, Candidate>()
  for (const candidate of [...request.candidates, ...named]) {
    if (candidate.word.startsWith(request.begun) && !unique.has(candidate.word)) unique.set(candidate.word, candidate)
  }
  return [...unique.values()]
}

/** Names out of the store that the line means; a store that is not there is not made. */
async function namesIn({ names, flags, begun }: CompletionRequest): Promise<Candidate[]> {
  const destination = destinationHere({ home: flags.get('home'), store: flags.get('store') })
  if (destination.token === undefined && !isThere(destination)) return []
  const session = flags.get('session')
  const meant = session === undefined ? {} : { session }
  const performer = new LocalPerformer({ ...destination, meant: meantHere(), waits: 'blocking' })
  try {
    const keys = names.has('keys') ? await keysIn(performer, { ...meant, prefix: begun }) : []
    return [...keys, ...(names.has('sessions') ? await sessionsIn(performer, meant, begun) : [])]
  } finally {
    await performer.close()
  }
}

function isThere(destination: Destination): boolean {
  const config = loadConfig(destination)
  if (config instanceof Refusal) return false
  return !config.store.startsWith('sqlite:') || existsSync(config.store.slice('sqlite:'.length))
}

async function keysIn(performer: LocalPerformer, input: object): Promise<Candidate[]> {
  const { keys } = await performer.execute(keyNames, input)
  return keys.map((word) => ({ word, about: 'key' }))
}

/** The sessions of the root meant here, if there is one, and the roots, for whoever may see them. */
async function sessionsIn(performer: LocalPerformer, meant: object, begun: string): Promise<Candidate[]> {
  const none = () => ({ sessions: [] })
  const own = await performer.execute(sessionNames, meant).catch(none)
  const roots = await performer.execute(operations.session.list, { all: true }).catch(none)
  const found = [...own.sessions, ...roots.sessions]
  // One word for each session, unless the beginning says that its slug is meant.
  return found.flatMap(({ session_name: name, slug, topic }) =>
    (begun === '' ? [name] : [name, slug]).map((word) => ({ word, about: topic })),
  )
}
