import { type Refusal, refuse } from '../../log/refusal.ts'
import { backoffUsual } from '../settled.ts'
import type { AgentDefaults, Backoff } from '../spec.ts'
import type { AgentForm } from './members.ts'

type DefaultsForm = Pick<AgentForm, keyof AgentDefaults>

/** How agents are run, with what a backoff leaves open. */
export function defaultsOf(form: DefaultsForm, path: string): AgentDefaults | Refusal {
  const { backoff, ...others } = form
  if (backoff === undefined) return others
  const whole: Backoff = { ...backoffUsual, ...backoff }
  if (backoff.first !== undefined && backoff.max === undefined) {
    return { ...others, backoff: { ...whole, max: Math.max(whole.max, whole.first) } }
  }
  if (whole.first <= whole.max) return { ...others, backoff: whole }
  const message = `${path}.backoff: the first wait is longer than the longest, max.`
  return refuse('invalid_input', message, 'Raise max, or shorten first.', { path: `${path}.backoff` })
}
