import { authorized, shellSamples } from '../openapi/curl-sample.ts'
import { type Part, parameter, refusals } from '../openapi/operation-entry.ts'

const text = { type: 'string' }
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' }

const session = parameter('session', 'path', {
  json: text,
  about: 'The session: its id, slug or name, or the start or end of its id.',
})
const named = parameter('hash', 'path', { json: hash, about: 'The SHA-256 of the bytes, in small hex digits.' })
const range = parameter('Range', 'header', { json: text, about: 'One range: bytes=0-99, bytes=100- or bytes=-100.' })
const ifRange = parameter('If-Range', 'header', { json: text, about: 'The ETag that the range is of.' })
const known = parameter('If-None-Match', 'header', { json: text, about: 'An ETag that is known already.' })

const shown = {
  type: 'object',
  properties: { hash, bytes: { type: 'integer', minimum: 0 } },
  required: ['hash', 'bytes'],
  additionalProperties: false,
}
const answered = { 'application/json': { schema: shown } }
const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

/** Any type of content is taken, and none is kept. */
const requestBody = { required: false, content: bytes }
const contentRange = { 'Content-Range': { schema: text, description: 'Which bytes of how many.' } }
const etag = { ETag: { schema: text, description: 'The hash.' } }

const blobs = '$CAIRN_URL/sessions/$SESSION/blobs'

function sending(method: string, place: string): string {
  return `curl -X ${method} ${authorized} -H 'Content-Type: application/octet-stream' --data-binary @FILE "${blobs}${place}"`
}

function putting(id: string, summary: string, parameters: readonly Part[], sample: string): Part {
  const responses = {
    200: { description: 'It was there already.', content: answered },
    201: { description: 'It is there now.', content: answered },
    ...refusals(),
  }
  return { operationId: id, tags: ['blob'], summary, ...shellSamples(sample), parameters, requestBody, responses }
}

const getting: Part = {
  operationId: 'blob.get',
  tags: ['blob'],
  summary: 'The bytes of a blob.',
  ...shellSamples(`curl ${authorized} -o FILE "${blobs}/$HASH"`),
  parameters: [session, named, known, range, ifRange],
  responses: {
    200: { description: 'The bytes.', headers: etag, content: bytes },
    206: { description: 'The bytes of the range.', headers: { ...etag, ...contentRange }, content: bytes },
    304: { description: 'They are known already.' },
    ...refusals([416]),
  },
}

/** Blobs in the description of all of REST. */
export const blobEntries: Readonly<Record<string, Part>> = {
  '/sessions/{session}/blobs': {
    post: putting(
      'blob.add',
      'Keep bytes below the root of a session; says their hash.',
      [session],
      sending('POST', ''),
    ),
  },
  '/sessions/{session}/blobs/{hash}': {
    put: putting(
      'blob.put',
      'Keep bytes with this hash below the root of a session.',
      [session, named],
      sending('PUT', '/$HASH'),
    ),
    get: getting,
  },
}
