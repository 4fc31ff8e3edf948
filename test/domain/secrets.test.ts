import { describe, expect, it } from 'vitest'
import { refuseSecret } from '../../src/domain/log/secrets.ts'
import { letters, secrets } from '../setup/planted-secrets.ts'

function told(value: unknown) {
  return refuseSecret(JSON.stringify({ value }), 'k')
}

describe('what looks like a secret', () => {
  it.each(Object.entries(secrets))('U3 %s is refused with its path, and not shown', (kind, secret) => {
    const others = [`${'gho'}_${letters.slice(0, 36)}`, `${'github'}_pat_${letters.slice(0, 40)}`]
    for (const each of kind === 'a token of GitHub' ? [secret, ...others] : [secret]) {
      for (const text of [
        each,
        `key=${each}`,
        `one\n${each}\ntwo`,
        `"${each}"`,
        `\t${each}`,
        `a%3D${each}`,
        `\u001b[31m${each}`,
      ]) {
        const refusal = told({ list: [1, { text }] })
        expect(refusal).toMatchObject({ code: 'looks_like_secret', details: { key: 'k', path: '$.list[1].text' } })
        expect(refusal?.message).toContain(kind)
        expect(JSON.stringify(refusal)).not.toContain(each.slice(-8))
      }
    }
  })

  it('U3 a secret as the name of a member is refused, and not shown', () => {
    const secret = secrets['a token of GitHub']
    const refusal = told({ deep: { [secret]: 1 } })
    expect(refusal).toMatchObject({ details: { path: '$.deep' } })
    expect(JSON.stringify(refusal)).not.toContain(secret)
  })

  it.each([
    'the key begins with sk-ant- and goes on',
    `if (text.includes('-----BEGIN ${'PRIVATE'} KEY-----')) throw new Error('a key in the state')`,
    `-----BEGIN PUBLIC KEY-----\n${letters}`,
    `task-ant-${letters}`,
    `my${'AKIA'}IOSFODNN7EXAMPLE`,
    `${'AKIA'}IOSFODNN7EXAMPLEANDMORE`,
    `${'ghp'}_short`,
    'npm_config_registry is set',
    'cairn_install_the-thing',
    '7f3a9c1e5b2d4f6089abcdef0123456789abcdef',
  ])('%s is none', (text) => {
    expect(told(text)).toBeUndefined()
  })
})
