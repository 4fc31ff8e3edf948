/** A text on one line of a list: what would begin another line or a comment of Markdown is spelled out. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*\r?\n\s*/g, ' ')
    .replaceAll('<!--', '&lt;!--')
    .trim()
}

export function heading(text: string): string {
  return oneLine(text).replace(/^#+\s*/, '')
}
