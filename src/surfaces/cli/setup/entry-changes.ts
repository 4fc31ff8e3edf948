import { type Json, type JsonObject, sameJson } from '../../../json/value.ts'

/** A member of an entry that has to have another value, or has to go. */
export interface EntryChange {
  readonly path: readonly string[]
  readonly value: Json | undefined
}

/** Members of the other way to reach a server: an entry has one way. */
const ofTransport = ['url', 'headers', 'type', 'bearer_token_env_var', 'env_http_headers', 'http_headers']

/** Variables of Cairn: one that is not wanted would send an agent to another store. */
const ofStore = ['CAIRN_HOME', 'CAIRN_STORE']

const isPlaceholder = (value: Json | undefined) => typeof value === 'string' && value.startsWith('${')

/** What makes an entry of Cairn the one that is wanted. Members that are not ours stay. */
export function changesOf(current: JsonObject, wanted: JsonObject, shared: boolean): EntryChange[] {
  const stale = ofTransport.filter((member) => member in current && !(member in wanted))
  const { env, ...others } = wanted
  const differing = Object.entries(others).filter(([member, value]) => !isSame(current[member], value))
  return [
    ...stale.map((member) => ({ path: [member], value: undefined })),
    ...differing.map(([member, value]) => ({ path: [member], value })),
    ...variableChanges(current.env, (env ?? {}) as JsonObject, shared),
  ]
}

function variableChanges(current: Json | undefined, wanted: JsonObject, shared: boolean): EntryChange[] {
  if (typeof current !== 'object' || current === null || Array.isArray(current)) {
    return Object.keys(wanted).length === 0 ? [] : [{ path: ['env'], value: wanted }]
  }
  const stale = ofStore.filter((variable) => variable in current && !(variable in wanted))
  const differing = Object.entries(wanted).filter(([variable, value]) => {
    const isLeft = shared && isPlaceholder(value) && isPlaceholder(current[variable])
    return !isLeft && !isSame(current[variable], value)
  })
  return [
    ...stale.map((variable) => ({ path: ['env', variable], value: undefined })),
    ...differing.map(([variable, value]) => ({ path: ['env', variable], value })),
  ]
}

function isSame(value: Json | undefined, wanted: Json): boolean {
  return value !== undefined && sameJson(value, wanted)
}
