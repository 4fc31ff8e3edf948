// The text of docs/limits.md.
import { limitNames, limitTable } from '../../src/domain/log/limits.ts'
import { limitVariable } from '../../src/home/config.ts'
import { statuses } from '../../src/surfaces/http/rest/statuses.ts'
import { limitsMet } from './limits-met.ts'

const head = `# Limits

Every limit that can be set, what one is told who meets it (… stands for what is known only then), and the test that does. How to set one is in
[settings.md](settings.md); the reasons are in \`src/domain/log/limits.ts\`. Every refusal names the limit and its value in \`limit\` and \`limit_value\`; those
that pass say in \`retry_after_ms\` when to come back. Written by \`npm run generate\`.

| limit | default | environment | what it bounds | code, status | message | test |
|---|---|---|---|---|---|---|
`

export function limitsPage(): string {
  const rows = limitNames.map((name) => {
    const { usual, about } = limitTable[name]
    const { code, message, test } = limitsMet[name]
    const told = code === 'cut off' ? 'the connection is cut off' : `\`${code}\`, ${statuses[code]}`
    return `| \`${name}\` | ${usual} | \`${limitVariable(name)}\` | ${about} | ${told} | ${message} | [${test}](../${test}) |\n`
  })
  return head + rows.join('')
}
