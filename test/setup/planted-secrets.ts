export const letters = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** One of each kind. Put together here, so that nothing that looks for secrets takes this file for one. */
export const secrets = {
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
