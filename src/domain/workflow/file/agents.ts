import { Refusal, refuse } from '../../log/refusal.ts'
import { nearWords } from '../../log/text/near-words.ts'
import { adapterNames } from '../adapters.ts'
import type { AgentSpec, Profile } from '../spec.ts'
import { defaultsOf } from './defaults.ts'
import type { Placed } from './layout.ts'
import type { AgentForm, WorkflowForm } from './members.ts'

type Profiles = Readonly<Record<string, Profile>>

const roleUsual = 'worker'
/** A command line stands for a task that was not given; its beginning says enough. */
const taskCharsUsual = 500

/** The profiles of a workflow, on top of those that are there. */
export function profilesOf(given: WorkflowForm['profiles'], present: Profiles): Profiles | Refusal {
  for (const [name, profile] of Object.entries(given ?? {})) {
    const path = `profiles.${name}`
    const runs = profile.adapter === 'command'
    const program = runs ? faultOfProgram(profile.run, `${path}.run`, `The profile ${name}`) : undefined
    if (program !== undefined) return program
    if (runs || profile.run === undefined) continue
    const hint = 'Leave run out, or write adapter: command.'
    return refuse('invalid_input', `The profile ${name} has a program and the adapter ${profile.adapter}.`, hint, {
      path: `${path}.run`,
    })
  }
  return { ...present, ...given }
}

/** Every agent has something to run, and a task. */
export function faultOfAgents(agents: readonly Placed[], profiles: Profiles): Refusal | undefined {
  for (const { form, path } of agents) {
    const fault = faultOfRunning(form, path, profiles)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfRunning(form: AgentForm, path: string, profiles: Profiles): Refusal | undefined {
  const { id, run, use, task } = form
  if (run === undefined && use === undefined) {
    const hint = `Give run: [PROGRAM, …], or use: a profile or one of ${payingAdapters.join(', ')}.`
    return refuse('invalid_input', `The agent ${id} has nothing to run.`, hint, { path })
  }
  if (run !== undefined && use !== undefined) {
    const message = `The agent ${id} has both run and use.`
    return refuse('invalid_input', message, 'Give one of them.', { path: `${path}.use` })
  }
  if (use === undefined) return faultOfProgram(run, `${path}.run`, `The agent ${id}`)
  if (!Object.hasOwn(profiles, use) && !payingAdapters.some((name) => name === use)) {
    return unknownUse(id, use, `${path}.use`, Object.keys(profiles))
  }
  if (task !== undefined) return undefined
  return refuse('invalid_input', `The agent ${id} has no task.`, 'Give task: what it is to do.', { path })
}

/** Adapters that need nothing but a task. */
const payingAdapters = adapterNames.filter((name) => name !== 'command')

function unknownUse(id: string, use: string, path: string, profiles: readonly string[]): Refusal {
  const known = [...profiles, ...payingAdapters]
  const [near] = nearWords(use, known, (name) => name)
  const suggestion = near === undefined ? '' : `Did you mean ${near}? `
  const message = `The agent ${id} uses ${JSON.stringify(use)}, which is neither a profile nor an adapter.`
  return refuse('invalid_input', message, `${suggestion}Allowed: ${known.join(', ')}.`, { path })
}

function faultOfProgram(run: readonly string[] | undefined, path: string, whose: string): Refusal | undefined {
  if (run !== undefined && run.length > 0 && run[0] !== '') return undefined
  const hint = 'Write a program with its arguments: [sh, -c, "npm test"].'
  return refuse('invalid_input', `${whose} has no program to run.`, hint, { path })
}

/** An agent with all that it says. */
export function agentSpec({ form, path, phase }: Placed): AgentSpec | Refusal {
  const { id, role = roleUsual, run, use, depends_on, task, ...running } = form
  const defaults = defaultsOf(running, path)
  if (defaults instanceof Refusal) return defaults
  return {
    id,
    role,
    task: task ?? (run ?? []).join(' ').slice(0, taskCharsUsual).toWellFormed(),
    ...(run !== undefined && { run }),
    ...(use !== undefined && { use }),
    ...(depends_on !== undefined && { depends_on: [...new Set(depends_on)] }),
    ...defaults,
    ...(phase !== undefined && { phase }),
  }
}
