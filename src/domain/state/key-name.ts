import { quoted } from '../../json/refusals.ts'
import { byteLength } from '../../json/value.ts'
import { defaultLimits } from '../log/limits.ts'
import { type Refusal, refuse } from '../log/refusal.ts'

/** Answers why a text cannot be a state key, or nothing when it can. */
export function checkKey(key: string, bytesMax: number = defaultLimits.keyBytes): Refusal | undefined {
  if (key === '') return refuseKey('A key is empty.', `Name the key with 1 to ${bytesMax} bytes of text.`)
  // A code unit takes at least one byte, so a huge key is refused without being read.
  if (key.length > bytesMax || byteLength(key) > bytesMax) return refuseLongKey(key, bytesMax)
  if (key.startsWith('_')) {
    return refuseKey(`The key ${quoted(key)} begins with the reserved _.`, 'Choose a name that begins differently.')
  }
  if (isPrintableAscii(key)) return undefined
  if (!key.isWellFormed()) {
    return refuseKey(`The key ${quoted(key)} holds half of a surrogate pair.`, 'Send whole characters as UTF-8.')
  }
  if (hasControl(key)) {
    return refuseKey(
      `The key ${quoted(key)} contains a control character.`,
      'Remove it; / separates the parts of a key.',
    )
  }
  // Normalising silently would make two spellings meet in one key without the caller knowing.
  if (key.normalize('NFC') !== key) {
    return refuseKey(`The key ${quoted(key)} is not in Unicode form NFC.`, "Normalise it first: key.normalize('NFC').")
  }
  return undefined
}

function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return true
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return true
  }
  return false
}

function refuseKey(message: string, hint: string): Refusal {
  return refuse('invalid_input', message, hint)
}

function refuseLongKey(key: string, bytesMax: number): Refusal {
  const message = `The key ${quoted(key)} has ${byteLength(key)} bytes; the limit keyBytes is ${bytesMax}.`
  const hint = 'Shorten the key and put the rest into the value.'
  return refuse('invalid_input', message, hint, { limit: 'keyBytes', limit_value: bytesMax })
}
