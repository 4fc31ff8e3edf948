// Whoever is turned away by the thousand must not fill the log of the server.
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { RequestLog } from '../../src/surfaces/http/monitoring/request-log.ts'

function logAt() {
  const lines: Record<string, unknown>[] = []
  const time = { now: 1_000_000 }
  const log = new RequestLog(
    false,
    (line) => void lines.push(JSON.parse(line)),
    () => time.now,
  )
  const request = { method: 'GET', socket: {} } as IncomingMessage
  const answer = (status: number) => log.answered({ request, status, ms: 1, route: 'GET /x', id: 'r', ranOut: false })
  return { lines, time, answer }
}

it('U53 refusals of a server that protects itself are told once a second and kind, as warnings with their number', () => {
  const { lines, time, answer } = logAt()
  for (let at = 0; at < 1000; at++) answer(503)
  for (let at = 0; at < 10; at++) answer(429)
  time.now += 1000
  answer(503)
  expect(lines).toMatchObject([
    { level: 'warning', event: 'refused', status: 503, count: 1 },
    { level: 'warning', event: 'refused', status: 429, count: 1 },
    { level: 'warning', event: 'refused', status: 503, count: 1000 },
  ])
  expect(lines).toHaveLength(3)
})

it('U53 faults are told each, as before', () => {
  const { lines, answer } = logAt()
  for (let at = 0; at < 3; at++) answer(500)
  answer(507)
  expect(lines.map(({ level, status }) => [level, status])).toEqual([
    ['error', 500],
    ['error', 500],
    ['error', 500],
    ['error', 507],
  ])
})
