// What the conformance suite asks of any server, as tools beside those of Cairn.

import { CairnRefusal, refuse } from '../../src/domain/log/refusal.ts'
import { operations } from '../../src/operations/index.ts'
import type { Tool } from '../../src/surfaces/mcp/tools/tool.ts'

const annotations = { readOnlyHint: true } as const
const none = { type: 'object', properties: {} } as const

export const fixtures: readonly Tool[] = [
  {
    name: 'test_simple_text',
    description: 'Answers with text.',
    inputSchema: none,
    annotations,
    run: async () => ({ text: 'This is a simple text response for testing.' }),
  },
  {
    name: 'test_error_handling',
    description: 'Is always refused.',
    inputSchema: none,
    annotations,
    run: async () => {
      throw new CairnRefusal(refuse('invalid_input', 'This tool intentionally returns an error for testing', 'None.'))
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Waits three times, and each wait is told of.',
    inputSchema: none,
    annotations,
    async run(_, perform) {
      const wait = () => perform(operations.state.wait, { key: 'never', timeout: '20ms' }).catch(() => undefined)
      for (let times = 0; times < 3; times++) await wait()
      return { waited: 3 }
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with all that schemas can have.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    annotations,
    run: async () => ({}),
  },
]

const noPictures = 'No tool of Cairn answers with anything but JSON: there is nothing to make pictures or sounds of.'
const nothingAsked = 'Cairn asks nothing of a client or its model: tools answer, or say what is missing.'
const ownOnly = 'What is served are resources of cairn:// and the prompts start and resume; fixtures have no way in.'
const noLogging = 'There is no log for clients: capability `logging` is not declared, and its method is not known.'

/** Scenarios that fail, and why that is right. What is not here must pass. */
export const expectedFailures: Readonly<Record<string, string>> = {
  'logging-set-level': noLogging,
  'tools-call-with-logging': noLogging,
  'completion-complete': 'Nothing is completed: capability `completions` is not declared, and its method is not known.',
  'tools-call-image': noPictures,
  'tools-call-audio': noPictures,
  'tools-call-embedded-resource': noPictures,
  'tools-call-mixed-content': noPictures,
  'tools-call-sampling': nothingAsked,
  'tools-call-elicitation': nothingAsked,
  'elicitation-sep1034-defaults': nothingAsked,
  'elicitation-sep1330-enums': nothingAsked,
  'resources-read-text': ownOnly,
  'resources-read-binary': ownOnly,
  'resources-templates-read': ownOnly,
  'resources-subscribe': ownOnly,
  'resources-unsubscribe': ownOnly,
  'prompts-get-simple': ownOnly,
  'prompts-get-with-args': ownOnly,
  'prompts-get-embedded-resource': ownOnly,
  'prompts-get-with-image': ownOnly,
}

/** Scenarios that look at nothing here, and why; a pass of these says nothing. */
export const withoutSubject: Readonly<Record<string, string>> = {
  'server-sse-polling':
    'A stream that is cut off is not resumed by Last-Event-ID, which is optional: short calls are answered with JSON, and a wait is asked for again.',
}
