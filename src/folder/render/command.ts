import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { depthCeiling } from '../../json/limits.ts'
import type { JsonObject } from '../../json/value.ts'
import { readJson } from '../../json/value.ts'

/** An operation that an edited file asks for, in the order in which they are to be done. */
export interface Command {
  readonly operation: string
  readonly input: JsonObject
}

/** Two sides of a merge stand in the file, and nobody has said which of them holds. */
export function checkMerged(path: string, text: string): Refusal | undefined {
  if (!/^(?:<{7} |={7}$|>{7} )/m.test(text)) return undefined
  const message = `${path} has conflict markers of git in it.`
  return refuse('invalid_input', message, 'Resolve the conflict, then save the file again.', { path })
}

/** A file that is a JSON object. */
export function readObject(path: string, text: string): JsonObject | Refusal {
  const read = readJson(text, depthCeiling)
  if (read instanceof Refusal) return inFile(path, read)
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read
  return refuse(
    'invalid_input',
    `${path} is not a JSON object.`,
    'Take it back with git, or remove it: it is written anew.',
    { path },
  )
}

function inFile(path: string, { code, message, hint, details }: Refusal): Refusal {
  return refuse(code, `${path}: ${message}`, hint, { ...details, file: path })
}

/** Something was edited that follows from other things. */
export function notEditable(path: string, member: string, instead: string): Refusal {
  return refuse('invalid_input', `${path}: ${member} cannot be edited.`, instead, { path: member, file: path })
}
