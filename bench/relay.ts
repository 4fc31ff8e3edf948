// The limit of a feed: what is posted goes to all who listen, with nothing but `ws` in between.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

const server = createServer(async (request, response) => {
  const body = await text(request)
  response.writeHead(200, { 'content-length': 2 }).end('{}')
  for (const client of sockets.clients) client.send(body)
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ serving: { url: `http://127.0.0.1:${port}` } })
})
process.on('SIGTERM', () => process.exit())
