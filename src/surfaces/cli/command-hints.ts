import type { HintWords } from '../../operations/hint-words.ts'
import { commands } from './registry/commands.ts'

/** How a command line says what a hint names. */
export const commandHints: HintWords = {
  operation(name, given) {
    const command = commands.find(({ operation }) => operation.name === name)
    const flag = given && this.given(given.name, given.value)
    return command && ['cairn', ...command.words, ...(flag === undefined ? [] : [flag])].join(' ')
  },
  given(name, value) {
    if (!commands.some(({ operation }) => Object.hasOwn(operation.input.members, name))) return undefined
    const flag = `--${name.replaceAll('_', '-')}`
    return value === undefined || value === 'true' ? flag : `${flag} ${value}`
  },
}
