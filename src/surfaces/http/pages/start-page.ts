import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../wire/endpoint.ts'
import { escaped, htmlType, page, wantsPage } from './page.ts'

interface StartParts {
  readonly version: string
  /** Browsers reach it over TLS. */
  readonly secure: boolean
  /** Whether whoever asks is known, by a token or by a login. */
  isKnown(request: IncomingMessage): Promise<boolean>
}

const description = 'Durable shared state for AI agents, outside every context window.'

/** Where to go from here, by name. */
const links: Readonly<Record<string, string>> = {
  dashboard: '/ui/',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health',
  metrics: '/metrics',
  sessions: '/sessions',
  feed: '/events',
  mcp: '/mcp',
}

/** `GET /`: what this is and where to go on, as a page for browsers and as JSON for programs. Open to all. */
export function startPage({ version, secure, isKnown }: StartParts): Endpoint {
  return {
    open: true,
    async handle(request, response) {
      const known = await isKnown(request)
      const isPage = wantsPage(request)
      const body = isPage
        ? startHtml(version, known, `${secure ? 'https' : 'http'}://${request.headers.host}`)
        : JSON.stringify({ name: 'cairn', version, description, authenticated: known, links })
      const type = isPage ? htmlType : 'application/json; charset=utf-8'
      response.writeHead(200, { 'content-type': type, vary: 'accept, authorization, cookie' }).end(body)
    },
  }
}

const loggedIn = `<p class="note good">This browser is logged in.</p>`

const loggedOut = `<p class="note">This browser is not logged in. Run <code>cairn ui</code> on the machine of this server:
      it opens a link that logs a browser in. The link works once and is valid for two minutes.</p>`

function startHtml(version: string, isLoggedIn: boolean, url: string): string {
  const token = `TOKEN="$(cat "\${CAIRN_HOME:-$HOME/.cairn}/token")"`
  const call = `curl -H "Authorization: Bearer $TOKEN" ${url}/sessions`
  return page(
    'Cairn',
    `    <header>
      <h1><img src="/docs/icon.svg" alt="" width="36" height="36"> Cairn <small>${escaped(version)}</small></h1>
      <p>${description}</p>
    </header>
    <main>
      ${isLoggedIn ? loggedIn : loggedOut}
      <ul class="links">
        <li><a href="/ui/">Dashboard</a><span>what every agent does and knows, live and at any moment</span></li>
        <li><a href="/docs">HTTP interface</a><span>every call, with a curl line to try</span></li>
        <li><a href="/openapi.json">openapi.json</a><span>the same for programs</span></li>
        <li><a href="/health">Health</a><span>whether the server is up; needs no token</span></li>
        <li><a href="/metrics">Metrics</a><span>for Prometheus; needs a token or a login</span></li>
      </ul>
      <h2>From a shell</h2>
      <pre>${escaped(`${token}\n${call}`)}</pre>
      <p class="faint">The feed is at <code>/events</code> (server-sent events) and <code>/ws</code> (WebSocket), MCP at <code>/mcp</code>.</p>
    </main>`,
  )
}
