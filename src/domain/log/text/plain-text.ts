import { type Refusal, refuse } from '../refusal.ts'

/** Control characters, and those that turn the direction of a line or break it: a terminal that shows a name would obey them. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

export function hasControls(text: string): boolean {
  return controls.test(text)
}

/** Why a text cannot be a name that stands in tables and terminals; `what` begins the message. */
export function refuseControls(what: string, path: string): (text: string) => Refusal | undefined {
  return (text) => {
    if (!hasControls(text)) return undefined
    const shown = JSON.stringify(text.slice(0, 40)).replace(new RegExp(controls, 'gu'), escaped)
    const hint = 'Use visible characters only: no line breaks, tabs or terminal escapes.'
    return refuse('invalid_input', `${what} ${shown} contains a control character.`, hint, { path })
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
