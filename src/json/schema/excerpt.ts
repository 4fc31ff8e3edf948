/** What a refusal quotes stays short: it is read in a terminal and in a model's context. */
const unitsMax = 120

export function short(text: string): string {
  return text.length > unitsMax ? `${text.slice(0, unitsMax)}…` : text
}
