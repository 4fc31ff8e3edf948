import { type Path, pathText } from '../../json/refusals.ts'
import type { Json } from '../../json/value.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A kind of secret: what only it looks like from its beginning, and all of it. */
interface Kind {
  readonly begins: string
  readonly whole: string
}

const label = '(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----'

/** All the letters of a token and what hangs on it: another one may. Only a private key is looked for on its own. */
const token = '(?:(?!-----BEGIN )[\\w-])+'

/** What is certainly a secret: nothing else looks like it. Each is long enough that its name alone, in prose, is none. */
const kinds: Readonly<Record<string, Kind>> = {
  'a private key': {
    begins: `-----BEGIN ${label}(?:\\\\+[nr]|\\s)+[\\w+/=:. -]{16}`,
    // Where its end is missing, nobody can say how far it goes.
    whole: `[\\s\\S]*?(?:-----END ${label}|$)`,
  },
  'a key of Anthropic': { begins: 'sk-ant-[\\w-]{16}', whole: token },
  'a key of OpenAI': { begins: 'sk-(?:proj|svcacct|admin)-[\\w-]{16}', whole: token },
  'a token of GitHub': { begins: '(?:gh[opusr]_[A-Za-z0-9]{30}|github_pat_\\w{22})', whole: token },
  'a token of GitLab': { begins: 'glpat-[\\w-]{16}', whole: '(?:(?!-----BEGIN )[\\w-]|\\.(?=\\w))+' },
  'a token of Slack': { begins: 'xox[abeoprs]-[\\w-]{10}', whole: token },
  'a key of AWS': { begins: '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])', whole: '[A-Z0-9]+' },
  'a key of Google': { begins: 'AIza[\\w-]{35}', whole: token },
  'a token of npm': { begins: 'npm_[A-Za-z0-9]{36}', whole: token },
  'a token of Cairn': { begins: 'cairn_(?:install|tok_[0-9a-f]{32})_[\\w-]{43}', whole: token },
}

/** Not within a longer word; the end of an escaped line break, of an encoded character or of a terminal's color is none. */
const start = '(?:(?<![\\w-])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[[0-9;]{0,20}m))'
const any = new RegExp(
  `${start}(?:${Object.values(kinds)
    .map(({ begins }) => begins)
    .join('|')})`,
)

const names = Object.keys(kinds)
const wholes = Object.values(kinds).map(({ begins, whole }) => `(?=${begins})(${whole})`)
const next = new RegExp(`${start}(?:${wholes.join('|')})`, 'g')
/** Right behind a secret another may begin, though its last letter belongs to a word. */
const directlyBehind = new RegExp(`(?:${wholes.join('|')})`, 'y')

/** How they begin. Every value that is written is looked through, and looking back at each letter costs ten times as much. */
const marks = /-----BEGIN |sk-(?:ant|proj|svcacct|admin)-|gh[opusr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|npm_|cairn_/

/** Whether a text, or JSON text, holds something that is certainly a secret. */
function holdsSecret(text: string): boolean {
  return marks.test(text) && any.test(text)
}

/** A part of a text that is a secret, and of which kind. */
export interface SecretSpan {
  readonly from: number
  readonly to: number
  readonly what: string
}

/** Every secret in a text, whole and in order. */
export function secretsIn(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  if (!marks.test(text)) return spans
  let from = 0
  while (from < text.length) {
    directlyBehind.lastIndex = from
    next.lastIndex = from
    const match = (spans.length > 0 && directlyBehind.exec(text)) || next.exec(text)
    if (match === null) break
    from = match.index + match[0].length
    const kind = match.slice(1).findIndex((group) => group !== undefined)
    spans.push({ from: match.index, to: from, what: names[kind] ?? 'a secret' })
  }
  return spans
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
  const [kind = 'a secret'] = Object.entries(kinds).find(([, { begins }]) => new RegExp(begins).test(secret)) ?? []
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
