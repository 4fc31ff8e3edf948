/** Programs of agents whose configuration is known. The first is meant where none is named. */
export const clients = ['json', 'claude', 'codex', 'vscode', 'cursor'] as const

export type Client = (typeof clients)[number]
