import icon from './docs/icon.svg?raw' with { type: 'text' }
import css from './docs/page.css?raw' with { type: 'text' }
import html from './docs/page.html?raw' with { type: 'text' }
import script from './docs/page.js?raw' with { type: 'text' }
import { openApi } from './openapi.ts'
import type { Extra } from './server.ts'

/** A text that anybody may read. */
function fixed(type: string, text: () => string): Extra {
  return {
    open: true,
    handle(_request, response) {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text())
    },
  }
}

/** The description of all of REST, and the page to read it with. */
export function documents(version: string): [string, Extra][] {
  let made: string | undefined
  const openapi = () => {
    made ??= JSON.stringify(openApi(version))
    return made
  }
  return [
    ['GET /openapi.json', fixed('application/json', openapi)],
    ['GET /docs', fixed('text/html', () => html)],
    ['GET /docs/page.js', fixed('text/javascript', () => script)],
    ['GET /docs/page.css', fixed('text/css', () => css)],
    ['GET /docs/icon.svg', fixed('image/svg+xml', () => icon)],
  ]
}
