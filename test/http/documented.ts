// Whether an answer is one that the OpenAPI document describes.

import { Refusal } from '../../src/domain/log/refusal.ts'
import { type Compiled, compile } from '../../src/json/schema/compile.ts'
import type { Json } from '../../src/json/value.ts'
import { openApi } from '../../src/surfaces/http/openapi/document.ts'

export type Part = { [name: string]: Part } & { [name: string]: Json }

export const document = openApi('0.0.0-test') as unknown as Part

export interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Part
  readonly pattern: RegExp
}

export const entries: readonly Entry[] = Object.entries(document.paths as Part).flatMap(([path, methods]) =>
  Object.entries(methods as Part).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation: operation as Part,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
)

const checks = new Map<string, Compiled>()

function checkOf(schema: Json): Compiled {
  const text = JSON.stringify(schema)
  const known = checks.get(text)
  if (known !== undefined) return known
  const made = compile({ ...(schema as Part), components: { schemas: document.components?.schemas as Json } })
  if (made instanceof Refusal) throw new Error(`${made.message} in ${text.slice(0, 200)}`)
  checks.set(text, made)
  return made
}

/** A request and the answer to it. */
export interface Exchanged {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly status: number
  readonly type: string | undefined
  readonly text: string
}

const refusal = { $ref: '#/components/schemas/Refusal' }

/** What is not as the document says; undefined when all is. */
export function undocumented({ method, path, status, type, text }: Exchanged): string | undefined {
  // HEAD is GET without its body.
  const entry = entries.find((each) => each.method === method.replace('HEAD', 'GET') && each.pattern.test(path))
  const where = `${method} ${path} answered ${status}`
  // What is at no path of the document can only be refused.
  const response = entry === undefined ? undefined : ((entry.operation.responses as Part)[String(status)] as Part)
  if (entry !== undefined && response === undefined) return `${where}, which is not documented`
  if (entry === undefined && status < 400) return `${where}, and is not documented at all`
  const content = entry === undefined ? { 'application/json': { schema: refusal } } : (response?.content as Part)
  if (content === undefined) return text === '' ? undefined : `${where} with a body`
  const [media = '', { schema }] = Object.entries(content)[0] as [string, { schema: Json }]
  if (!type?.startsWith(media)) return `${where} as ${type}`
  if (method === 'HEAD') return text === '' ? undefined : `${where} with a body`
  if (media !== 'application/json') return undefined
  const fault = checkOf(schema)(JSON.parse(text))
  return fault && `${where}: ${fault.path.join('.')} ${fault.what} (${fault.rule}) in ${text.slice(0, 500)}`
}
