import { type Path, pathText } from '../../json/refusals.ts'
import type { Json } from '../../json/value.ts'
import { type Refusal, refuse } from './refusal.ts'

/** What is certainly a secret: nothing else looks like it. Each is long enough that its name alone, in prose, is none. */
const kinds: Readonly<Record<string, string>> = {
  'a private key': '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\\\[nr]|\\s)+[\\w+/=:. -]{16}',
  'a key of Anthropic': 'sk-ant-[\\w-]{16}',
  'a key of OpenAI': 'sk-(?:proj|svcacct|admin)-[\\w-]{16}',
  'a token of GitHub': '(?:gh[opusr]_[A-Za-z0-9]{30}|github_pat_\\w{22})',
  'a token of GitLab': 'glpat-[\\w-]{16}',
  'a token of Slack': 'xox[abeoprs]-[\\w-]{10}',
  'a key of AWS': '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  'a key of Google': 'AIza[\\w-]{35}',
  'a token of npm': 'npm_[A-Za-z0-9]{36}',
  'a token of Cairn': 'cairn_(?:install|tok_[0-9a-f]{32})_[\\w-]{43}',
}

/** Not within a longer word; in JSON text the end of an escaped line break is none. */
const start = '(?:(?<![\\w-])|(?<=\\\\[nrt]))'
const any = new RegExp(`${start}(?:${Object.values(kinds).join('|')})`)

/** How they begin. Every value that is written is looked through, and looking back at each letter costs ten times as much. */
const marks = /-----BEGIN |sk-(?:ant|proj|svcacct|admin)-|gh[opusr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|npm_|cairn_/

/** Whether a text, or JSON text, holds something that is certainly a secret. */
function holdsSecret(text: string): boolean {
  return marks.test(text) && any.test(text)
}

/** Why an event cannot be recorded: what it says holds a secret. `text` is the JSON of it. */
export function refuseSecret(text: string, key: string | null): Refusal | undefined {
  if (!holdsSecret(text)) return undefined
  const { path, secret } = locate(JSON.parse(text) as Json, []) ?? { path: [], secret: '' }
  // The first member of what an event says is the value, which is a document of its own.
  const at = pathText(path.slice(1))
  const message = `${at}${key === null ? '' : ` of ${JSON.stringify(key)}`} looks like ${kindOf(secret)}; everyone who can read the state would see it.`
  return refuse('looks_like_secret', message, hint, { path: at, ...(key === null ? {} : { key }) })
}

/** Why a text cannot be a name: it is a secret itself, and so is not shown. */
export function refuseSecretName(name: string): Refusal | undefined {
  if (!holdsSecret(name)) return undefined
  const message = `The name of the key looks like ${kindOf(name)}; everyone who can read the state would see it.`
  return refuse('looks_like_secret', message, hint, { path: 'key' })
}

const hint = 'Keep secrets in the environment or a file; if it is not a secret, write it with `allow_secret: true`.'

function kindOf(secret: string): string {
  const [kind = 'a secret'] = Object.entries(kinds).find(([, each]) => new RegExp(each).test(secret)) ?? []
  return kind
}

/** The first text, or name of a member, that holds a secret. */
function locate(value: Json, path: Path): { path: Path; secret: string } | undefined {
  if (typeof value === 'string') return holdsSecret(value) ? { path, secret: value } : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const [name, member] of Object.entries(value)) {
    // A name that is a secret itself is not shown.
    const found = holdsSecret(name) ? { path, secret: name } : locate(member, [...path, isList ? Number(name) : name])
    if (found) return found
  }
  return undefined
}
