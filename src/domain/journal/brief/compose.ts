/** A part of a brief. Items stand in it whole or not at all. */
export interface Section {
  readonly title: string
  /** Its items stand in a row beside the title, and not as a list below it. */
  readonly isRow?: true
  /** What its items are called where some are left out: decisions, keys. */
  readonly called: string
  /** One line each, the most important first. */
  readonly items: readonly string[]
  /** How many more there are that were not even read. */
  readonly more?: number
  /** Of all room, how much it gets before every other section had its share. */
  readonly share: number
}

export interface Composed {
  readonly text: string
  readonly tokens: number
  /** How many of each were left out. */
  readonly left_out: { readonly [called: string]: number }
}

/** How many tokens a text has; one way for all that is composed. */
export type Count = (text: string) => number

/** Words that stand above all sections. */
export interface Heading {
  readonly lines: readonly string[]
}

/**
 * A brief within so many tokens. Each section first gets its share; what is left then goes to them in their order, so that a thousand
 * decisions leave room for what to go on from. The same sections always make the same text.
 */
export function compose({ lines }: Heading, sections: readonly Section[], max: number, counted: Count): Composed {
  const count = once(counted)
  const chosen = sections.map(() => new Set<number>())
  const room = max - count(`${lines.join('\n')}\n`) - count(leftOutLine(longest(sections)))
  let used = 0
  const take = (at: number, limit: number) => {
    const section = sections[at] as Section
    const own = chosen[at] as Set<number>
    let taken = spent(section, own, count)
    for (const [index, item] of section.items.entries()) {
      if (own.has(index)) continue
      const most = Math.min(limit - taken, room - used)
      if (item.length > most * tokenCharsMax) continue
      const cost = costOf(section, item, count) + (own.size === 0 ? headCost(section, count) : 0)
      if (cost > most) continue
      own.add(index)
      taken += cost
      used += cost
    }
  }
  for (const at of sections.keys()) take(at, Math.floor(room * (sections[at] as Section).share))
  for (const at of sections.keys()) take(at, room)
  return fitting(lines, sections, chosen, max, count)
}

/** Hardly any text has more characters to a token: what is longer than that cannot fit, and need not be counted. */
const tokenCharsMax = 12

/** Each line is counted once. */
function once(count: Count): Count {
  const known = new Map<string, number>()
  return (text) => {
    const tokens = known.get(text) ?? count(text)
    known.set(text, tokens)
    return tokens
  }
}

function spent(section: Section, own: ReadonlySet<number>, count: Count): number {
  if (own.size === 0) return 0
  return [...own].reduce(
    (sum, index) => sum + costOf(section, section.items[index] as string, count),
    headCost(section, count),
  )
}

function costOf({ isRow }: Section, item: string, count: Count): number {
  return count(isRow ? rowLine('', item) : `- ${item}\n`)
}

function headCost({ title, isRow }: Section, count: Count): number {
  return count(isRow ? title : `\n## ${title}\n`)
}

/** As wide as the longest title of a row. */
const rowTitleChars = 10

function rowLine(title: string, item: string): string {
  return `${title.padEnd(rowTitleChars)}${item}\n`
}

/** Tokens of a whole can differ from those of its lines: what was chosen last goes until it fits. */
function fitting(
  lines: readonly string[],
  sections: readonly Section[],
  chosen: readonly Set<number>[],
  max: number,
  count: Count,
): Composed {
  for (;;) {
    const left = leftOut(sections, chosen)
    const text = render(lines, sections, chosen, left)
    const tokens = count(text)
    const last = chosen.findLast(({ size }) => size > 0)
    if (tokens <= max || last === undefined) return { text, tokens, left_out: left }
    last.delete([...last].sort((a, b) => a - b).at(-1) as number)
  }
}

function leftOut(sections: readonly Section[], chosen: readonly ReadonlySet<number>[]): Record<string, number> {
  const all = sections.map(({ called, items, more = 0 }, at) => {
    return [called, items.length - (chosen[at]?.size ?? 0) + more] as const
  })
  return Object.fromEntries(all.filter(([, number]) => number > 0))
}

function longest(sections: readonly Section[]): Record<string, number> {
  return Object.fromEntries(sections.map(({ called, items, more = 0 }) => [called, items.length + more]))
}

function leftOutLine(left: Readonly<Record<string, number>>): string {
  const each = Object.entries(left).map(([called, number]) => `${called} ${number}`)
  return each.length === 0
    ? ''
    : `\nLeft out for lack of room: ${each.join(', ')}. The journal, the log and the state have them.\n`
}

function render(
  lines: readonly string[],
  sections: readonly Section[],
  chosen: readonly ReadonlySet<number>[],
  left: Readonly<Record<string, number>>,
): string {
  const parts = sections.map(({ title, items, isRow }, at) => {
    const own = items.filter((_, index) => chosen[at]?.has(index))
    if (isRow) return own.map((item, place) => rowLine(place === 0 ? title : '', item)).join('')
    return own.length === 0 ? '' : `\n## ${title}\n${own.map((item) => `- ${item}\n`).join('')}`
  })
  return `${lines.join('\n')}\n${parts.join('')}${leftOutLine(left)}`
}
