// A repository as `git init` leaves it, and agents that work in it.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Document } from '../cli/sandbox.ts'
import { Folder } from '../setup-command/folder.ts'
import type { Agent, Start } from './agents.ts'
import { installed } from './installed.ts'
import { type Running, startProgram } from './run-program.ts'
import { type Call, type StandIn, standIn } from './stand-in.ts'

export function repository(): Folder {
  const place = Folder.bare()
  rmSync(join(place.project, '.git'), { recursive: true })
  execFileSync('git', ['init', '-q', place.project])
  return place
}

/** A repository that `cairn setup` was run in for these agents. */
export async function setUpFor(...agents: readonly Agent[]): Promise<Folder> {
  const place = repository()
  for (const { name } of agents) await place.answer(['setup', name, '--yes'])
  return place
}

interface Options {
  readonly cwd?: string
  /** Changes how a person would start it. */
  readonly plant?: (start: Start) => Start
}

/** An agent at work, and its model. */
export interface Turn {
  readonly model: StandIn
  readonly program: Running
}

export async function startTurn(
  agent: Agent,
  place: Folder,
  script: readonly Call[],
  { cwd = place.project, plant = (start) => start }: Options = {},
): Promise<Turn> {
  const model = await standIn(agent.dialect, script)
  onTestFinished(() => model.stop())
  const { args, env } = plant(agent.start(model.url))
  return { model, program: startProgram(installed(agent.name), { args, env: { HOME: place.folder, ...env } }, cwd) }
}

/** What the calls of the script gave, when the agent has ended well. */
export async function turn(...given: Parameters<typeof startTurn>): Promise<readonly string[]> {
  const { model, program } = await startTurn(...given)
  const { exit, out, err } = await program.ended
  model.stop()
  expect(exit, `${out}\n${err}`).toBe(0)
  return model.results
}

/** The sessions below the root of a folder: which client, and what became of it. */
export async function childrenOf(place: Folder, ...given: string[]): Promise<Record<string, string>> {
  const { children } = await place.answer(['tree', ...given])
  return Object.fromEntries(children.map(({ session_name, status }: Document) => [session_name, status]))
}
