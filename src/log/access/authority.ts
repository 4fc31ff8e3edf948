import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import { byLogin } from '../../operations/by-login.ts'
import type { AnyOperation, Place, Reach } from '../../operations/operation.ts'
import type { Caller, Scope } from './caller.ts'

/** How far an operation reaches. */
export function reachOf(operation: AnyOperation): Reach {
  if (operation.reach !== undefined) return operation.reach
  return 'about' in operation && (operation.kind === 'upkeep' || operation.about === 'store') ? 'owner' : 'root'
}

/** The session that an agent's token is bound to. */
export function agentIn(scope: Scope): Place | undefined {
  return typeof scope === 'string' ? undefined : scope
}

/** Whether somebody may ask for this at all, wherever it is to be done. */
export function checkAsking(operation: AnyOperation, { scope, edits }: Caller): Refusal | undefined {
  if (scope === 'owner') return undefined
  if (scope === 'login') return writes(operation) ? checkLogin(operation, edits === true) : undefined
  if (scope === 'reader') return writes(operation) ? readsOnly(operation.name, reachOf(operation)) : undefined
  return reachOf(operation) === 'owner' ? ownersOnly(operation.name) : undefined
}

/** Whether all that is asked for lies within reach. */
export function checkBeyond(operation: AnyOperation, input: object, scope: Scope): Refusal | undefined {
  if (scope === 'login') return checkLoginInput(operation, input)
  if (agentIn(scope) === undefined) return undefined
  const beyond = operation.beyondRoot?.find((member) => (input as Record<string, unknown>)[member] !== undefined)
  return beyond === undefined ? undefined : ownersOnly(`${beyond} in ${operation.name}`)
}

/** What an agent asks, in its own name: it claims nothing under the name of another. */
export function asItself<Input extends object>(input: Input & { holder?: unknown }): Input {
  const { holder: _, ...own } = input
  return own as Input
}

/** Whether what is there may be seen: an agent sees its own root. */
function checkSeeing(place: Place, scope: Scope): Refusal | undefined {
  const agent = agentIn(scope)
  return agent === undefined || agent.root === place.root ? undefined : outside()
}

function writes(operation: AnyOperation): boolean {
  return operation.kind === 'change' || (operation.kind === 'upkeep' && operation.looks !== true)
}

function checkLogin({ name }: AnyOperation, edits: boolean): Refusal | undefined {
  const may = byLogin[name]
  if (may === undefined) return needsToken(name)
  if (!may.edits || edits) return undefined
  const hint =
    'Set `"dashboardEdits": true` in config.json of the data folder and restart the server, or use the command line.'
  return refuse('forbidden', 'Values cannot be edited in the dashboard.', hint)
}

function checkLoginInput({ name }: AnyOperation, input: object): Refusal | undefined {
  const member = byLogin[name]?.without?.find((each) => (input as Record<string, unknown>)[each] !== undefined)
  return member === undefined ? undefined : needsToken(`${name} with ${member}`)
}

function needsToken(what: string): Refusal {
  const hint = "Send Authorization: Bearer with the owner's token, or use the command line."
  return refuse('forbidden', `A browser login cannot run ${what}.`, hint)
}

export function readsOnly(what: string, reach: Reach = 'root'): Refusal {
  const hint = reach === 'owner' ? "Use the owner's token." : 'Use a token that can write.'
  return refuse('forbidden', `This token is read-only and does not allow ${what}.`, hint)
}

export function ownersOnly(what: string): Refusal {
  return refuse('forbidden', `An agent's token does not allow ${what}.`, 'Ask the owner of the store to do it.')
}

/** The same for what is there and for what is not: nobody learns from it which sessions there are. */
export function outside(): Refusal {
  const hint = "Name a session in the token's own root; the default is the token's own session."
  return refuse('forbidden', 'That is outside the root of this token.', hint)
}

export function notBelow(): Refusal {
  const hint = "Name the token's own session or one below it."
  return refuse('forbidden', 'An agent can act only on its own session and on those below it.', hint)
}

/** The place, for whoever may see it. */
export function visible(place: Place, { scope }: Caller): Place {
  const refusal = checkSeeing(place, scope)
  if (refusal) throw new CairnRefusal(refusal)
  return place
}
