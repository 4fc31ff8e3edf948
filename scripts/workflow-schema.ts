// Writes docs/schemas/workflow.schema.json from the definition of a workflow.
import { mkdirSync, writeFileSync } from 'node:fs'
import { workflowSchema } from '../src/domain/workflow/file/schema.ts'

mkdirSync('docs/schemas', { recursive: true })
writeFileSync('docs/schemas/workflow.schema.json', `${JSON.stringify(workflowSchema, null, 2)}\n`)
