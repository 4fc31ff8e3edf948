import type { IncomingMessage } from 'node:http'

export const htmlType = 'text/html; charset=utf-8'

/** Whether a person with a browser asks: programs take anything, or JSON. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

/** Text as it may stand in HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A page in the style of /docs, without scripts: what is inside is HTML. */
export function page(title: string, inside: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(title)}</title>
    <link rel="icon" href="/docs/icon.svg">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body class="narrow">
${inside}
  </body>
</html>
`
}
