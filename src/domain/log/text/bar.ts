const units = 16

/** How much is done, as a bar with the percentage. */
export function barText(done: number, all: number): string {
  const share = all === 0 ? 0 : done / all
  const full = Math.floor(share * units)
  return `${'█'.repeat(full)}${'░'.repeat(units - full)} ${Math.floor(share * 100)}%`
}
