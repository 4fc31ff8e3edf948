// Writes all that is made from the sources: npm run generate. With --check it only says what is not as it would be written.
import { readFileSync, writeFileSync } from 'node:fs'
import { workflowSchema } from '../../src/domain/workflow/file/schema.ts'
import { limitsPage } from '../../test/hostile/limits-page.ts'
import { answersText } from './answers.mjs'
import { reference } from './cli-reference.ts'
import { clientTableText } from './client-table.ts'
import { ledgerText } from './ledger.mjs'
import { messagesPage } from './messages.mjs'
import { operationTypesText } from './operation-types.ts'

const generated: Readonly<Record<string, () => string>> = {
  'docs/cli.md': () => `${reference()}\n`,
  'docs/limits.md': limitsPage,
  'docs/messages.md': messagesPage,
  'docs/requirements.md': ledgerText,
  'docs/schemas/workflow.schema.json': () => `${JSON.stringify(workflowSchema, null, 2)}\n`,
  'src/client/generated/operations.d.ts': operationTypesText,
  'src/client/generated/table.ts': clientTableText,
  'src/surfaces/http/openapi/answers.json': answersText,
}

for (const [file, textOf] of Object.entries(generated)) {
  const text = textOf()
  if (readFileSync(file, 'utf8') === text) continue
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file} is not what the sources say: run \`npm run generate\`\n`)
    process.exitCode = 1
  } else writeFileSync(file, text)
}
