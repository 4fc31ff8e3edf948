import type { JsonSchema } from '../../log/input-schema.ts'
import { workflowForm } from './members.ts'

/** The JSON Schema of a workflow, as it is published. What depends on several of its members is checked beyond it. */
export const workflowSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Cairn workflow',
  ...workflowForm.json,
}
