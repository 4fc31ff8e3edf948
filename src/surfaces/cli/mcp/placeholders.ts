import type { Json } from '../../../json/value.ts'

/** `${AGENT_SESSION_NAME}`, or with what is meant where it is not set: `${AGENT_SESSION_NAME:-none}`. Others belong to others. */
const placeholder = /\$\{((?:AGENT|CAIRN)_[A-Z_]+)(?::-([^}]*))?\}/g

/**
 * A configuration with what the environment of an agent says in the place of its placeholders. What stands there is put in once
 * and never looked at again, so that no value can name another.
 */
export function filled<Config>(config: Config, environment: NodeJS.ProcessEnv): Config {
  return withValues(config as Json, environment) as Config
}

function withValues(config: Json, environment: NodeJS.ProcessEnv): Json {
  if (typeof config === 'string') {
    return config.replace(placeholder, (_whole, name: string, otherwise = '') => environment[name] || otherwise)
  }
  if (typeof config !== 'object' || config === null) return config
  if (Array.isArray(config)) return config.map((item) => withValues(item, environment))
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, withValues(value, environment)]))
}
