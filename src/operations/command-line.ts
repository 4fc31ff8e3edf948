/** What the commands that people use most are about, in the order in which help shows them. */
export const topics = [
  'Start',
  'Look',
  'Change the state',
  'Work together',
  'Plan',
  'Keep the journal',
  'Conversations',
  'Run agents',
  'Go back',
  'Serve',
  'Maintain the store',
] as const

export type Topic = (typeof topics)[number]

/** How a command line names an operation; everything else about the command comes from its input. */
export interface CommandLine {
  /** The words after `cairn`; where there are several, the first is the one that is shown. */
  readonly words: readonly string[]
  /** Members of the input that are given without a flag, in order. */
  readonly positional?: readonly string[]
  /** Flags that are not called like their member, so that one word means one thing in all commands. */
  readonly flags?: Readonly<Record<string, string>>
  /** Under what help shows it to whoever asks for no command; `cairn help --all` lists every one. */
  readonly topic?: Topic
  /** As people would type it. */
  readonly examples?: readonly string[]
}

/** A command as a person writes it, in its shortest words. Values are such that a shell takes each for one word. */
export function writtenCommand(
  { words, positional = [], flags = {} }: CommandLine,
  given: Readonly<Record<string, string>>,
): string {
  const shortest = [...words].sort((a, b) => a.length - b.length)[0] ?? ''
  const places = positional.flatMap((member) => given[member] ?? [])
  const others = Object.entries(given).filter(([member]) => !positional.includes(member))
  const named = others.flatMap(([member, value]) => [`--${flags[member] ?? member.replaceAll('_', '-')}`, value])
  return ['cairn', shortest, ...places, ...named].join(' ')
}
