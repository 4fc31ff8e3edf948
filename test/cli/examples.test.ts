// What help shows as an example can be typed: its words are a command, and that command has its flags and its places.
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/surfaces/cli/arguments.ts'
import { operationsFor, splitWords } from '../../src/surfaces/cli/command-words.ts'
import { readBashLine } from '../../src/surfaces/cli/completion/bash-line.ts'
import { aliasFlagsOf, flagsByName } from '../../src/surfaces/cli/flags.ts'
import { argumentsOf } from '../../src/surfaces/cli/own-arguments.ts'
import { definedOperations } from '../../src/surfaces/cli/registry/commands.ts'
import { ownCommand, ownCommands } from '../../src/surfaces/cli/registry/own-commands.ts'

const ofOperations = definedOperations.flatMap(({ name, command }) =>
  (command.examples ?? []).map((example) => ({ name, example })),
)
const ofOwn = ownCommands.flatMap(({ word, examples = [] }) => examples.map((example) => ({ name: word, example })))

/** The words after `cairn`, as a shell hands them over; what stands after a pipe or a redirection is another's. */
function tokensOf(example: string): string[] {
  const { words } = readBashLine(/cairn (.*?)(?: [|>] .*|\))?$/.exec(example)?.[1] ?? '')
  return [...words]
}

describe('an example of a command can be typed', () => {
  it.each(ofOperations)('$name: $example', ({ name, example }) => {
    const split = splitWords(tokensOf(example))
    const operations = operationsFor(split)
    const flags = flagsByName(operations, operations.flatMap(aliasFlagsOf))
    const { places } = readArguments(split.rest, flags, '')
    const most = Math.max(...operations.map(({ command }) => command.positional?.length ?? 0))
    expect(places.length).toBeLessThanOrEqual(most)
    // One that shows what to do next may be of another command; the first of each is of its own.
    const [first] = ofOperations.filter((each) => each.name === name)
    if (first?.example === example) expect(operations.map((operation) => operation.name)).toContain(name)
  })

  it.each(ofOwn)('$name: $example', ({ name, example }) => {
    const { words, rest } = splitWords(tokensOf(example))
    const command = ownCommand(words)
    expect(command?.word).toBe(name)
    if (command !== undefined) argumentsOf({ command, rest })
  })
})
