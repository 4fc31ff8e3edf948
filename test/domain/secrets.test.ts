import { describe, expect, it } from 'vitest'
import { refuseSecret } from '../../src/domain/log/secrets.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Put together here, so that nothing that looks for secrets takes this file for one. */
const secrets = {
  'a private key': `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA ${'PRIVATE'} KEY-----`,
  'a key of Anthropic': `sk-${'ant'}-api03-${letters}`,
  'a key of OpenAI': `sk-${'proj'}-${letters}`,
  'a token of GitHub': `${'ghp'}_${letters.slice(0, 36)}`,
  'a token of GitLab': `${'glpat'}-${letters.slice(0, 20)}`,
  'a token of Slack': `${'xoxb'}-123456789012-${letters.slice(0, 24)}`,
  'a key of AWS': `${'AKIA'}IOSFODNN7EXAMPLE`,
  'a key of Google': `${'AIza'}${letters.slice(0, 35)}`,
  'a token of npm': `${'npm'}_${letters.slice(0, 36)}`,
  'a token of Cairn': `cairn_${'install'}_${letters.slice(0, 43)}`,
}

function told(value: unknown) {
  return refuseSecret(JSON.stringify({ value }), 'k')
}

describe('what looks like a secret', () => {
  it.each(Object.entries(secrets))('U3 %s is refused with its path, and not shown', (kind, secret) => {
    const others = [`${'gho'}_${letters.slice(0, 36)}`, `${'github'}_pat_${letters.slice(0, 40)}`]
    for (const each of kind === 'a token of GitHub' ? [secret, ...others] : [secret]) {
      for (const text of [each, `key=${each}`, `one\n${each}\ntwo`, `"${each}"`, `\t${each}`]) {
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
