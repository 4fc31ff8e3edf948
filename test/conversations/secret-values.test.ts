import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactValues, secretsOf } from '../../src/domain/conversations/secret-values.ts'
import type { Json } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'

const runs = { numRuns: 500, seed: seedOf(14) }

const value = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019-_+/=. %"\\\n&é'), minLength: 10, maxLength: 40 })
  .filter((text) => text.trim() === text && new Set(text).size > 5)
const around = fc.string({ unit: fc.constantFrom('k', '<', '>', ',', '#', '1') })

/** How a program writes a value. */
const written: Record<string, (text: string, before: string, after: string) => string> = {
  plain: (text, before, after) => before + text + after,
  json: (text, before, after) => JSON.stringify({ a: before + text + after }),
  'json in json': (text, before, after) => JSON.stringify([JSON.stringify({ a: before + text + after })]),
  url: (text, before, after) => encodeURIComponent(before + text + after),
  'url in lower case': (text) => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  form: (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  base64: (text, before, after) => Buffer.from(before + text + after).toString('base64'),
  base64url: (text, before, after) => Buffer.from(before + text + after).toString('base64url'),
}

/** What a program that reads base64 makes of a text. */
function decoded(text: string): string {
  return text.replace(/[\w+/-]{8,}/g, (each) => Buffer.from(each, 'base64').toString('latin1'))
}

describe('U3 the value of a secret variable', () => {
  it('is replaced however it is written, and what stands there names the variable', () => {
    fc.assert(
      fc.property(value, around, around, fc.constantFrom(...Object.keys(written)), (secret, before, after, how) => {
        const secrets = [{ name: 'MY_TOKEN', value: secret }]
        const content = written[how]?.(secret, before, after) ?? ''
        const { value: cleaned, redacted } = redactValues({ content }, secrets)
        expect(cleaned.content).not.toContain(content)
        expect(cleaned.content).toContain('[redacted: the value of $MY_TOKEN]')
        expect(cleaned.content).not.toContain(secret)
        const bytes = Buffer.from(secret).toString('latin1')
        expect(decoded(String(cleaned.content))).not.toContain(bytes.slice(1, -1))
        expect(redacted[0]).toEqual({ path: '$.content', what: 'the value of $MY_TOKEN' })
        expect(redactValues(cleaned, secrets)).toEqual({ value: cleaned, redacted: [] })
      }),
      runs,
    )
  })

  it.each([10, 11, 12])('of %d bytes leaves no letter of its base64', (length) => {
    const secret = 's3cr3t-value'.slice(0, length)
    // How many letters stand for what is before it alone.
    for (const [before, alone] of Object.entries({ '': 0, a: 1, ab: 2, abc: 4 })) {
      const text = Buffer.from(before + secret).toString('base64')
      const { value: cleaned } = redactValues(text, [{ name: 'X_KEY', value: secret }])
      expect(cleaned).toBe(`${text.slice(0, alone)}[redacted: the value of $X_KEY]`)
    }
  })

  it('is replaced as a whole where one value is part of another, or they overlap', () => {
    const secrets = secretsOf({ A_TOKEN: 'abcdefgh1234', B_TOKEN: 'gh12345678XY', C_TOKEN: 'bcdefgh1' })
    expect(redactValues('<abcdefgh1234>', secrets).value).toBe(
      '<[redacted: the value of $A_TOKEN and the value of $C_TOKEN]>',
    )
    expect(redactValues('abcdefgh12345678XY!', secrets.slice(0, 2)).value).toBe(
      '[redacted: the value of $A_TOKEN and the value of $B_TOKEN]!',
    )
  })

  it('may be in the name of a variable, a member or a number', () => {
    const secrets = [
      { name: 'MY_TOKEN_1', value: 'MY_TOKEN_1' },
      { name: 'PIN_SECRET', value: '1234567890' },
    ]
    const given: Json = { MY_TOKEN_1: [1234567890, 'MY_TOKEN_1'] }
    const { value: cleaned } = redactValues(given, secrets)
    const first = '[redacted: the value of $MY_TOKEN_1]'
    expect(cleaned).toEqual({ [first]: ['[redacted: the value of $PIN_SECRET]', first] })
    expect(redactValues(cleaned, secrets).redacted).toEqual([])
    // What is not a name of theirs hides nothing.
    expect(redactValues('[redacted: the value of $1234567890]', secrets).redacted).toHaveLength(1)
  })

  it('in a signed block takes the block with it', () => {
    const block = { type: 'thinking', thinking: 'use s3cr3t-value', signature: 'c2ln' }
    expect(redactValues([block], [{ name: 'X_KEY', value: 's3cr3t-value' }]).value).toEqual([
      { type: 'text', text: '[redacted: signed thinking that held the value of $X_KEY]' },
    ])
  })

  it('is looked for in a time that grows with the text alone', () => {
    const secrets = Array.from({ length: 50 }, (_, at) => ({ name: `T${at}`, value: `${'a'.repeat(30)}${at}` }))
    for (const each of ['a', '[redacted: the value of $T1', '[redacted: ', `${'a'.repeat(30)}7`]) {
      redactValues(each.repeat(1_000_000 / each.length), secrets)
    }
  })
})

describe('the secrets of an environment', () => {
  it.each([
    ['ANTHROPIC_API_KEY', 'anything-long'],
    ['GITHUB_TOKEN', 'abc123def456'],
    ['my_db_password', 'hunter2hunter2'],
    ['AWS_SECRET_ACCESS_KEY', '/wJalrXUtnFEMI/K7MDENG/bPxRfiCY'],
    ['SERVICE_CREDENTIALS', '{"key":"x"}'],
  ])('%s is one', (name, value) => {
    expect(secretsOf({ [name]: `${value}\n` })).toEqual([{ name, value }])
  })

  it('a password in an address is one', () => {
    expect(secretsOf({ DATABASE_URL: 'postgres://ann:s3cret-word@db/x' })).toEqual([
      { name: 'DATABASE_URL', value: 's3cret-word' },
    ])
  })

  it.each([
    ['PATH', '/usr/bin:/bin'],
    ['SHORT_KEY', 'abc1234'],
    ['TOKEN_MODE', 'required'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MAX_OUTPUT_TOKENS', '100000000'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/etc/ann/google.json'],
    ['SSH_KEY', '~/.ssh/id_ed25519'],
    ['SSH_PUBLIC_KEY', 'ssh-ed25519 AAAAC3Nza'],
    ['TOKEN_URL', 'https://example.com/token'],
  ])('%s=%s is none', (name, value) => {
    expect(secretsOf({ [name]: value })).toEqual([])
  })
})
