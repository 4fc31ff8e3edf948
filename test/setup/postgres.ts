// Gives every test file the address of a real Postgres server: that of DATABASE_URL, or one started for this run.
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  const server = given ? undefined : await startPostgres()
  const url = given ?? server?.url ?? ''
  process.env.CAIRN_TEST_POSTGRES = url
  project.provide('postgres', url)
  return async () => server?.remove()
}
