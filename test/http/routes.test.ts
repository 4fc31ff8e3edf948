import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { paths } from '../../src/surfaces/http/rest/paths.ts'
import { RouteTree, routes } from '../../src/surfaces/http/rest/routes.ts'
import { statuses } from '../../src/surfaces/http/rest/statuses.ts'
import { document, entries } from './documented.ts'

const all = Object.values(operations).flatMap((verbs) => Object.values<AnyOperation>(verbs))

/** Upkeep is for whoever runs the store, and is called by its name only. */
const withoutPath = [
  'store.doctor',
  'log.adopt',
  'session.join',
  'project.init',
  'project.onboard',
  'workflow.step',
  'store.backup',
  'store.restore',
  'store.compact',
  'store.gc',
  'store.erase',
  'store.remove',
]

const tree = new RouteTree()

describe('the routes', () => {
  it('every operation has a path or is one of the few that have none', () => {
    const reached = new Set(paths.map(({ operation }) => operation))
    const streams = all.filter(({ kind }) => kind === 'stream').map(({ name }) => name)
    const missing = all.map(({ name }) => name).filter((name) => !reached.has(name) && !streams.includes(name))
    expect(missing.sort()).toEqual([...withoutPath].sort())
    expect(streams, 'a stream is followed through the feed').toEqual(['state.watch'])
  })

  it('every operation that is answered once can be called by its name', () => {
    for (const { name, kind } of all) {
      const found = tree.find(`/operations/${name}`)
      const operations = found?.meanings.get('POST')?.map((route) => route.operation)
      expect(operations, name).toEqual(kind === 'stream' ? undefined : [name])
    }
  })

  it('names in a path are members of the operation, and no two routes are one', () => {
    const seen = new Set<string>()
    for (const { method, path, operation, does, type, when, given, body } of routes) {
      const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const member of members) expect(Object.keys(does.input.members), operation).toContain(member)
      if (body !== undefined) expect(Object.keys(does.input.members)).toContain(body)
      const name = [method, path, type, when, given].join(' ')
      expect(seen.has(name), name).toBe(false)
      seen.add(name)
    }
  })

  it('a part of a path is any text in percent-encoding, and nothing else', () => {
    expect(tree.find('/sessions/a%2Fb/state/keys/%2e%2e')?.members).toEqual({ session: 'a/b', key: '..' })
    expect(tree.find('/sessions/a/state/keys/..')?.members).toEqual({ session: 'a', key: '..' })
    for (const path of ['/sessions/%ff', '/sessions/%', '/sessions/', '/sessions//state', '/', '', '/sessionz']) {
      expect(tree.find(path), path).toBeUndefined()
    }
  })
})

describe('the document', () => {
  it('a strict validator accepts it', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  it('has every route and every refusal, each operation with an id of its own', () => {
    const known = new Set(entries.map(({ method, path }) => `${method} ${path}`))
    for (const { method, path } of routes) expect(known).toContain(`${method} ${path}`)
    const ids = entries.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const codes = (
      document.components as never as { schemas: { Refusal: { properties: { error: { enum: string[] } } } } }
    ).schemas.Refusal.properties.error.enum
    expect(codes).toEqual(Object.keys(statuses).sort())
  })

  it('every object that is answered is closed, but for refusals and what users name themselves', () => {
    const open: string[] = []
    const look = (schema: unknown, where: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { type, additionalProperties, properties } = schema as { [name: string]: unknown }
      if (type === 'object' && additionalProperties === undefined) open.push(where)
      if (additionalProperties !== false && properties && Object.keys(properties).length > 0 && type === 'object')
        open.push(where)
      for (const [name, part] of Object.entries(schema)) look(part, `${where}.${name}`)
    }
    for (const { method, path, operation } of entries) {
      if (['server'].includes((operation.tags as never as string[])[0] as string)) continue
      const { responses } = operation as { responses?: Record<string, { content?: unknown }> }
      for (const status of ['200', '201']) look(responses?.[status]?.content, `${method} ${path}`)
    }
    expect(open).toEqual([])
  })
})
