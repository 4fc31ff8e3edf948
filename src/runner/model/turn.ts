import type { Form } from '../../domain/conversations/stored.ts'
import type { Json, JsonObject } from '../../json/value.ts'

/** A tool as a model is told of it. */
export interface ToolOffered {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** What a model is asked with. */
export interface TurnRequest {
  readonly system: Json | undefined
  readonly messages: readonly JsonObject[]
  readonly tools: readonly ToolOffered[]
  readonly signal: AbortSignal
  /** Called with each piece of text as it comes. */
  readonly onText: (text: string) => void
}

export interface ToolCalled {
  readonly id: string
  readonly name: string
  /** As the model wrote it; undefined where that is no object. */
  readonly input: JsonObject | undefined
}

/** What tokens were used for one answer. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
}

/** One answer of a model, in the form of its provider. */
export interface Turn {
  readonly id: string | undefined
  readonly content: Json
  /** Of OpenAI, which has calls beside the content. */
  readonly toolCalls?: readonly JsonObject[]
  readonly calls: readonly ToolCalled[]
  readonly text: string
  readonly stopReason: string
  readonly usage: Usage
}

/** A way to speak with models. */
export interface Provider {
  readonly format: Extract<Form, 'anthropic' | 'openai'>
  readonly model: string
  ask(request: TurnRequest): Promise<Turn>
}

/** The answer made no sense or broke off: nothing of it is used, and it can be asked for again. */
export class BrokenAnswer extends Error {}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One event of a stream. */
export function eventIn(data: string): JsonObject {
  try {
    const read: unknown = JSON.parse(data)
    if (isObject(read)) return read
  } catch {
    // Said below.
  }
  throw new BrokenAnswer('it sent something that is not JSON')
}

export function inputIn(text: string): JsonObject | undefined {
  try {
    const read: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}

export function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
