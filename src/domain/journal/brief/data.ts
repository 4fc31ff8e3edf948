/** Control characters, and those that hide text, turn its direction or break its line. */
const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/**
 * A text that somebody wrote, as it stands among words of Cairn's own: in double quotes, on one line, and with everything escaped that
 * could end either. Whatever it says, it stays within its quotes.
 */
export function dataText(text: string): string {
  return safeJson(JSON.stringify(text.toWellFormed()))
}

/** JSON text, likewise. */
export function safeJson(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A name: bare where it is one plain word. */
export function dataName(name: string): string {
  return /^[A-Za-z0-9][\w.:@/-]*$/.test(name) ? name : dataText(name)
}
