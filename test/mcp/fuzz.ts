// Requests of the protocol made from the schemas of the tools: mostly as they ask for them, sometimes bent.
import type { Json } from '../../src/json/value.ts'
import type { Tool } from '../../src/surfaces/mcp/tools/tool.ts'
import type { Part } from '../http/documented.ts'
import { broken, keys, oddTexts, oddValues, Values } from '../setup/values.ts'

export interface Fuzzed {
  readonly method: string
  readonly params: Json
}

/** What ends the sessions that all other requests are about. */
const leftOut = ['session_end']

/** Arguments that are JSON text. */
const jsonTexts = ['value', 'items', 'patch', 'equals', 'initial_state']

const methods = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'ping',
  'initialize',
  'completion/complete',
  'logging/setLevel',
  '__proto__',
  'constructor',
  '',
]

export class Fuzz extends Values {
  readonly #tools: readonly Tool[]
  /** What most can go wrong with, however many others there are. */
  readonly #ofState: readonly Tool[]

  constructor(seed: number, tools: readonly Tool[]) {
    super(seed)
    this.#tools = tools.filter(({ name }) => !leftOut.includes(name))
    this.#ofState = this.#tools.filter(({ name }) => name.startsWith('state_'))
  }

  next(): Fuzzed {
    if (this.chance(0.1)) return { method: this.one(methods), params: this.#params() }
    const { name, inputSchema } = this.one(this.chance(0.4) ? this.#ofState : this.#tools)
    const given = this.value(inputSchema as Part, '', 0)
    // A wait that is left without its end lasts too long.
    const timely = name === 'state_wait' && isObject(given) ? { ...given, timeout: '5ms' } : given
    return { method: 'tools/call', params: { name: this.often(true) ? name : this.one(oddTexts), arguments: timely } }
  }

  #params(): Json {
    if (!this.often(true)) return this.one(oddValues)
    const uri = this.one([
      `cairn://roots/${this.session}/state`,
      `cairn://roots/${this.session}/summary`,
      `cairn://roots/${this.session}/state/${encodeURIComponent(this.one([...keys, ...oddTexts]))}`,
      `cairn://roots/${encodeURIComponent(this.one(oddTexts))}/state`,
      ...oddTexts,
    ])
    return {
      uri,
      name: this.one(['start', 'resume', ...oddTexts]),
      arguments: this.one([{}, { session_id: this.session }]),
    }
  }

  /** Conflicts need a version, and most calls would come without. */
  protected override isWanted(name: string, isRequired: boolean): boolean {
    return name === 'version' ? this.chance(0.5) : super.isWanted(name, isRequired)
  }

  protected override text(name: string): string {
    if (!jsonTexts.includes(name)) return super.text(name)
    if (!this.often(true)) return this.one([...broken, ...oddTexts])
    if (name === 'items') return JSON.stringify([this.one(oddValues)])
    return JSON.stringify(name === 'patch' ? this.document() : this.one(oddValues))
  }
}

export function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
