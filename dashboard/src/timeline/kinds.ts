/** What an event is about, by its stream. */
export const kinds = ['session', 'state', 'context', 'run', 'workflow', 'plan', 'journal', 'lease', 'other'] as const
export type Kind = (typeof kinds)[number]

export const kindTitles: Readonly<Record<Kind, string>> = {
  session: 'sessions',
  state: 'state',
  context: 'conversations',
  run: 'runs',
  workflow: 'workflow',
  plan: 'plan',
  journal: 'journal',
  lease: 'leases',
  other: 'other',
}

export function kindOf(stream: string): Kind {
  const [name = ''] = stream.split('/')
  return kinds.find((kind) => kind === name) ?? 'other'
}
