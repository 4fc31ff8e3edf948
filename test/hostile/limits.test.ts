// Every limit is on the page of limits, with what the sources say, and has a test that meets it.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limitNames } from '../../src/domain/log/limits.ts'
import { committedFiles } from '../setup/source-files.ts'
import { limitsMet } from './limits-met.ts'

const sources = committedFiles()
  .filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

it.each(limitNames)('U53 %s is met by a test that names it, and told in the words of the sources', (name) => {
  const { message, test } = limitsMet[name]
  expect(readFileSync(test, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`))
  for (const part of message
    .split('…')
    .map((each) => each.trim())
    .filter((each) => each.length > 3))
    expect(sources).toContain(part)
})
