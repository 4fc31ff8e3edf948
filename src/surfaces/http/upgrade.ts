import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { refuse } from '../../domain/log/refusal.ts'
import { statuses } from './rest/statuses.ts'

export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * A request that offers to speak something we do not, as clients that would like HTTP/2 do with their first one. It is answered as
 * if it had not offered; Node has stopped reading HTTP on its connection by then, so its body is read here and it is the last.
 */
export function answerPlainly(server: Server, offering: IncomingMessage, socket: Socket, head: Buffer): void {
  const request = withBody(offering, socket, head)
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  socket.on('error', () => socket.destroy())
  socket.setTimeout(server.requestTimeout, () => socket.destroy())
  if (request.headers['transfer-encoding'] === undefined) server.emit('request', request, response)
  else refuseInPieces(response)
}

/** Node has ended the request before its body. */
function withBody(offering: IncomingMessage, socket: Socket, head: Buffer): IncomingMessage {
  const request = new IncomingMessage(socket)
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders } = offering
  Object.assign(request, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders })
  let left = Number(request.headers['content-length'] ?? 0)
  const take = (part: Buffer) => {
    if (left > 0) request.push(part.subarray(0, left))
    left -= part.length
    if (left > 0) return
    socket.off('data', take)
    request.complete = true
    request.push(null)
  }
  socket.on('close', () => request.destroy())
  socket.on('data', take)
  take(head)
  return request
}

function refuseInPieces(response: ServerResponse): void {
  const message = 'A chunked body cannot be combined with Upgrade.'
  const refusal = refuse('bad_request', message, 'Leave out Upgrade, or give Content-Length.')
  response.writeHead(statuses.bad_request, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(refusal))
}
