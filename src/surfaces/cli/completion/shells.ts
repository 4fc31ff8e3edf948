export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function isShell(word: string | undefined): word is Shell {
  return (shells as readonly (string | undefined)[]).includes(word)
}
