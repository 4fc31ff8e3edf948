import type { Endpoint } from '../../wire/endpoint.ts'
import { openApi } from './document.ts'
import icon from './reader/icon.svg?raw' with { type: 'text' }
import css from './reader/page.css?raw' with { type: 'text' }
import html from './reader/page.html?raw' with { type: 'text' }
import script from './reader/page.js?raw' with { type: 'text' }

/** A text that anybody may read. */
function fixed(type: string, text: () => string): Endpoint {
  return {
    open: true,
    handle(_request, response) {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text())
    },
  }
}

/** The description of all of REST, and the page to read it with. */
export function documents(version: string): [string, Endpoint][] {
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
