import { integer, number, oneOf, optional, type Schema, text } from '../log/input-schema.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { line, prose, some } from '../log/text/entries.ts'
import { ends, modes } from './facts.ts'

export const runId = text('The run.', { max: 128 })

const hash = optional(text('A hash, to tell whether it has changed.', { max: 128 }))

export const madeWith = {
  model: optional(text('The model.', { max: 200 })),
  prompt: { ...hash, about: 'A hash of the system prompt.' },
  tools: { ...hash, about: 'A hash of the list of tools.' },
}

export const providerSession = optional(text('The session id of the provider, to resume by.', { max: 512 }))

export const started = {
  mode: oneOf('cli for a process of its own, server for a worker in one.', modes),
  adapter: optional(text('What runs it: command, claude, codex, model.', { max: 64 })),
  ...madeWith,
  provider_session_id: providerSession,
}

export const usage = {
  input_tokens: optional(integer('Tokens read so far.')),
  output_tokens: optional(integer('Tokens written so far.')),
  cached_tokens: optional(integer('Tokens read from a cache so far.')),
  usd: optional(atLeastZero('Money spent so far, in US dollars.', Number.MAX_SAFE_INTEGER)),
  context_usage: optional(atLeastZero('Share of the context window in use, 0 to 1.', 1)),
}

export const ended = {
  how: oneOf('How it ended.', ends),
  reason: optional(text('Why.', { max: 2000 })),
}

/** What is told of a sitting at its end. */
export const handedOver = {
  completed: optional(some('What was done in it.', line('One thing.'))),
  notes: optional(prose('What the next one should know.')),
  issues: optional(some('What went wrong.', line('One issue.'))),
  handoff: optional(line('Why the work is handed on.')),
}

const sitting = optional(integer('The number of a sitting.', { min: 1 }))

/** What is told of one as it begins. */
export const sat = {
  sitting,
  follows: sitting,
  working_on: optional(line('What is worked on.')),
  notes: optional(prose('How it came to begin.')),
}

function atLeastZero(about: string, max: number): Schema<number> {
  const any = number(about)
  return {
    ...any,
    json: { ...any.json, minimum: 0, maximum: max },
    check(value, path, limits) {
      const checked = any.check(value, path, limits)
      if (checked instanceof Refusal || (checked >= 0 && checked <= max)) return checked
      return refuse('invalid_input', `${path} must be from 0 to ${max}.`, 'Give a number in that range.', { path })
    },
  }
}
