import type { IncomingMessage, ServerResponse } from 'node:http'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import { htmlType, page } from '../pages/page.ts'
import { nothingThere } from '../rest/nothing-there.ts'
import { type BuiltFile, BuiltFiles } from './built-files.ts'

interface DashboardParts {
  /** Where the build of the dashboard is. */
  readonly folder: string
  readonly version: string
  /** `sqlite` or `postgres`. */
  readonly store: string
  readonly startedAt: string
  /** Whether logins may edit values. */
  readonly edits: boolean
}

/** Its name has the hash of its contents: whatever has that name is that. */
const forEver = 'public, max-age=31536000, immutable'

const assets = 'assets/'

/** The dashboard: one page for every path below `/ui/`, and the files that it loads. The page is open to all; what it shows is not. */
export function dashboard(parts: DashboardParts): [string, Endpoint][] {
  const files = new BuiltFiles(parts.folder)
  const shell: Endpoint = { open: true, handle: (request, response) => sendPage(files.page(), request, response) }
  const below: Endpoint = {
    open: true,
    handle(request, response, { path, members: { path: rest = '' } }) {
      if (!rest.startsWith(assets)) return sendPage(files.page(), request, response)
      const file = files.asset(rest.slice(assets.length))
      if (file === undefined) throw new CairnRefusal(nothingThere(path))
      response.setHeader('cache-control', forEver)
      return send(file, request, response)
    },
  }
  const { version, store, startedAt, edits } = parts
  const about: Endpoint = {
    open: false,
    handle(_request, response) {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify({ version, store, started_at: startedAt, edits }))
    },
  }
  return [
    ['GET /ui', shell],
    ['GET /ui/about.json', about],
    ['GET /ui/{path*}', below],
  ]
}

function sendPage(file: BuiltFile | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (file !== undefined) send(file, request, response)
  else response.writeHead(503, { 'content-type': htmlType }).end(notBuilt)
}

const notBuilt = page(
  'Cairn: no dashboard',
  `    <header>
      <h1><img src="/docs/icon.svg" alt="" width="36" height="36"> No dashboard</h1>
    </header>
    <main>
      <p class="note bad">This copy of Cairn was not built with its dashboard.</p>
      <p>Run <code>npm ci</code> and <code>npm run build</code> in the working copy, then reload this page.</p>
      <p><a href="/">About this server</a></p>
    </main>`,
)

function send({ type, plain, packed }: BuiltFile, { headers }: IncomingMessage, response: ServerResponse): void {
  const isPacked = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  const body = isPacked ? packed : plain
  response.setHeader('vary', 'accept-encoding')
  if (isPacked) response.setHeader('content-encoding', 'gzip')
  response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
}
