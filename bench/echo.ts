// The limit of a server: a bare fastify route that checks a body and gives it back.
import fastify from 'fastify'
import { incrementBody } from './served.ts'

const server = fastify()
server.post(
  '/sessions/:session/state/keys/:key/ops',
  {
    schema: {
      body: {
        type: 'object',
        required: Object.keys(incrementBody),
        properties: { operation: { type: 'string', enum: [incrementBody.operation] }, delta: { type: 'number' } },
        additionalProperties: false,
      },
    },
  },
  (request, reply) => reply.send(request.body),
)
const url = await server.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ serving: { url } })
process.on('SIGTERM', () => process.exit())
