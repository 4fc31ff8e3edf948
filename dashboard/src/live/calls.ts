import { connect } from '../../../src/client/connect.ts'
import { CairnRefusal } from '../../../src/domain/log/refusal.ts'

/** How long an action is tried before the page says that it did not work. */
const deadlineMs = 10_000

/** Everything the server can be asked, in the name of the login of this browser. */
export const cairn = connect({ url: location.origin, actor: 'dashboard', deadlineMs })

/** What is said of something that did not work. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly details: { readonly [name: string]: unknown }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CairnRefusal) {
    const { code, message, hint, details } = error.refusal
    return { code, message, hint, details }
  }
  return { code: 'internal', message: String(error), hint: 'Reload the page.', details: {} }
}

export interface About {
  readonly version: string
  readonly store: string
  readonly started_at: string
  /** Whether values may be edited here. */
  readonly edits: boolean
}

export async function readAbout(): Promise<About> {
  const answer = await fetch('/ui/about.json', { headers: { 'x-cairn': '1' } })
  const body = (await answer.json()) as About & { error?: string; message?: string; hint?: string }
  if (answer.ok) return body
  throw Object.assign(new Error(body.message), { code: body.error, hint: body.hint })
}
