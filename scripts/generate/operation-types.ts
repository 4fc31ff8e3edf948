// src/client/generated/operations.d.ts: every operation as a method, with its input and its answer as types of their own. The types are
// what the compiler makes of the definitions, and the comments what these say, so an editor shows both where a method is called.
import ts from 'typescript'
import type { JsonSchema } from '../../src/domain/log/input-schema.ts'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { checker, signatures } from './signatures.mjs'
import { commentText, TypeText, type Writing } from './type-text.ts'

const [inputs, answers] = [new Map(signatures('Inputs')), new Map(signatures('Answers'))]

/** `session.setStatus` → `SessionSetStatus`. */
function typeName(noun: string, verb: string): string {
  return [noun, verb].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Names for types rather than interfaces: those can be given where any JSON is taken. */
function declared(writing: Writing, about: string, type: ts.Type, schema?: JsonSchema): string {
  const text = new TypeText(writing)
  const whole = text.of(type, schema)
  const recursive = [...text.recursive].map(([name, each]) => `export type ${name} = ${each}\n\n`)
  return `${recursive.join('')}${commentText(about)}export type ${writing.name} = ${whole}\n\n`
}

/** What a schema says of a member, and of its other name where it has one. */
function aboutInput({ input }: AnyOperation): Writing['comment'] {
  return ({ name }, schema) => {
    const properties = schema?.properties as Readonly<Record<string, JsonSchema>> | undefined
    const meant = schema === input.json ? input.aliases[name] : undefined
    return meant === undefined ? String(properties?.[name]?.description ?? '') : `Another name of \`${meant}\`.`
  }
}

function aboutAnswer(member: ts.Symbol): string {
  return ts.displayPartsToString(member.getDocumentationComment(checker))
}

function typesOf(noun: string, verb: string, operation: AnyOperation): string {
  const [of, name, type] = [`${noun}.${verb}`, typeName(noun, verb), `cairn.${noun}.${verb}`]
  const input = { name: `${name}Input`, comment: aboutInput(operation), takesUndefined: true }
  const taken = declared(input, `What \`${type}\` takes.`, inputs.get(of) as ts.Type, operation.input.json)
  if (operation.kind === 'stream') return taken
  const answer = { name: `${name}Answer`, comment: aboutAnswer, takesUndefined: false }
  return taken + declared(answer, `What \`${type}\` answers.`, answers.get(of) as ts.Type)
}

function methodText(noun: string, verb: string, { kind, summary }: AnyOperation): string {
  const name = typeName(noun, verb)
  const answer = kind === 'stream' ? 'AsyncGenerator<FeedEvent, void>' : `Promise<${name}Answer>`
  return `${commentText(summary, '  ')}  ${verb}(input: ${name}Input, signal?: AbortSignal): ${answer}\n`
}

function methodsText(noun: string, verbs: Readonly<Record<string, AnyOperation>>): string {
  const methods = Object.entries(verbs).map(([verb, operation]) => methodText(noun, verb, operation))
  return `export interface ${typeName(noun, 'operations')} {\n${methods.join('')}}\n\n`
}

export function operationTypesText(): string {
  const all = Object.entries<Readonly<Record<string, AnyOperation>>>(operations)
  const types = all.flatMap(([noun, verbs]) => [
    ...Object.entries(verbs).map(([verb, operation]) => typesOf(noun, verb, operation)),
    methodsText(noun, verbs),
  ])
  const nouns = all.map(([noun]) => `  readonly ${noun}: ${typeName(noun, 'operations')}\n`)
  return `// Written by \`npm run generate\` from the definitions of the operations; change those, then run it.
import type { FeedEvent } from '../../domain/log/event.ts'
import type { RefusalCode } from '../../domain/log/refusal.ts'
import type { Json, JsonObject } from '../../json/value.ts'

${types.join('')}/** Every operation as a method, grouped by noun; each takes one object. The signal ends what waits. */
export interface CairnOperations {
${nouns.join('')}}
`
}
