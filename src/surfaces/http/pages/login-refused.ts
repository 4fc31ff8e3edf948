import type { Refusal } from '../../../domain/log/refusal.ts'
import { escaped, page } from './page.ts'

/** What a person sees whose link does not log in. */
export function loginRefused({ message, hint }: Refusal): string {
  return page(
    'Cairn: not logged in',
    `    <header>
      <h1><img src="/docs/icon.svg" alt="" width="36" height="36"> Not logged in</h1>
    </header>
    <main>
      <p class="note bad">${escaped(message)}</p>
      <p>${escaped(hint).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>
      <p><a href="/">About this server</a></p>
    </main>`,
  )
}
