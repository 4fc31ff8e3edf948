import { foldName } from '../../log/identity.ts'
import { type Refusal, refuse } from '../../log/refusal.ts'
import { nearWords } from '../../log/text/near-words.ts'
import { outputsNamed } from '../template.ts'
import type { Placed } from './layout.ts'

/** A longer cycle is shown by its beginning and its end. */
const shownMax = 12

/** Agents that are there already, which new ones may depend on. */
export type Present = ReadonlySet<string>

/** Ids that a person, or a file system, cannot tell apart are one id. */
export function faultOfIds(agents: readonly Placed[], present: Present): Refusal | undefined {
  const known = new Map([...present].map((id) => [foldName(id), id]))
  for (const { form, path } of agents) {
    const same = known.get(foldName(form.id))
    if (same !== undefined) {
      const also = same === form.id ? '' : `: ${same} is there already, and ids are not case-sensitive`
      return refuse('already_exists', `The id ${form.id} is given twice${also}.`, 'Give each agent an id of its own.', {
        path: `${path}.id`,
        id: form.id,
      })
    }
    known.set(foldName(form.id), form.id)
  }
  return undefined
}

/** Everything that is depended on is there, comes no later, and does not depend on what depends on it. */
export function faultOfDependencies(agents: readonly Placed[], present: Present): Refusal | undefined {
  const placed = new Map(agents.map((each) => [each.form.id, each]))
  for (const each of agents) {
    const fault = faultOfAgent(each, placed, present)
    if (fault !== undefined) return fault
  }
  return faultOfCycles(agents, placed)
}

function faultOfAgent(agent: Placed, placed: ReadonlyMap<string, Placed>, present: Present): Refusal | undefined {
  const { form, path, phase } = agent
  for (const [at, id] of (form.depends_on ?? []).entries()) {
    const where = `${path}.depends_on[${at}]`
    const other = placed.get(id)
    if (other === undefined && !present.has(id)) return unknown(form.id, id, where, placed, present)
    if (other?.phase !== undefined && phase !== undefined && other.phase > phase) return later(agent, other, where)
  }
  for (const id of outputsNamed(form.task ?? '')) {
    if (!placed.has(id) && !present.has(id)) return unknown(form.id, id, `${path}.task`, placed, present)
  }
  return undefined
}

function unknown(
  agent: string,
  wanted: string,
  path: string,
  placed: ReadonlyMap<string, Placed>,
  present: Present,
): Refusal {
  const [near] = nearWords(wanted, [...placed.keys(), ...present], (id) => id)
  const hint = near === undefined ? 'Name an agent of this workflow by its id.' : `Did you mean ${near}?`
  return refuse('unknown_dependency', `${agent} needs ${wanted}, and there is no such agent.`, hint, {
    path,
    id: wanted,
  })
}

function later(agent: Placed, other: Placed, path: string): Refusal {
  const [from, to] = [agent.form.id, other.form.id]
  const message = `${from} depends on ${to}, which belongs to a later ${agent.stretch}: neither could begin.`
  return refuse('cycle', message, `Move ${to} to an earlier ${agent.stretch}, or ${from} to a later one.`, {
    path,
    cycle: [from, to, from],
  })
}

/** Walks along the dependencies, without recursion: a chain may be as long as the workflow. */
function faultOfCycles(agents: readonly Placed[], placed: ReadonlyMap<string, Placed>): Refusal | undefined {
  const done = new Set<string>()
  for (const { form } of agents) {
    const trail: { id: string; next: number }[] = [{ id: form.id, next: 0 }]
    const on = new Set([form.id])
    while (trail.length > 0 && !done.has(form.id)) {
      const here = trail.at(-1) as { id: string; next: number }
      const next = placed.get(here.id)?.before[here.next++]
      if (next === undefined) {
        done.add(here.id)
        on.delete(here.id)
        trail.pop()
      } else if (on.has(next)) {
        const ids = trail.map(({ id }) => id)
        return cycle([...ids.slice(ids.indexOf(next)), next], placed)
      } else if (placed.has(next) && !done.has(next)) {
        on.add(next)
        trail.push({ id: next, next: 0 })
      }
    }
  }
  return undefined
}

function cycle(ids: readonly string[], placed: ReadonlyMap<string, Placed>): Refusal {
  const shown = ids.length <= shownMax ? ids : [...ids.slice(0, shownMax - 2), '…', ...ids.slice(-1)]
  const [first] = ids as [string]
  const message = `The dependencies form a cycle: ${shown.join(' → ')}.`
  return refuse('cycle', message, 'Take one of these dependencies away.', {
    path: `${placed.get(first)?.path}.depends_on`,
    cycle: ids.slice(0, 1000),
  })
}
