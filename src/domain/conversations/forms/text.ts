import type { Form, Stored } from '../stored.ts'
import { normalOfAnthropic } from './from-anthropic.ts'
import { normalOfOpenai } from './from-openai.ts'
import { normalOfResponses } from './from-responses.ts'
import type { Normal, Piece } from './normal.ts'

/** What is shown of a call's arguments where nobody says otherwise: enough to tell calls apart on one line. */
const argumentUnitsMax = 200

const normals = { anthropic: normalOfAnthropic, openai: normalOfOpenai, responses: normalOfResponses }

/** A message in no provider's form. */
export function normalOf(stored: Stored): Normal {
  return normals[stored.form ?? 'openai'](stored)
}

/** The form a conversation is in: that of its newest message that has one. */
export function formOf(stored: readonly Stored[]): Form | undefined {
  // A result that was given as a role and a text looks like one of OpenAI, whoever made the call.
  const said = stored.findLast(({ type, form }) => type !== 'tool_result' && form !== undefined)
  return said?.form ?? stored.findLast(({ form }) => form !== undefined)?.form
}

/** The plain text of a message, for transcripts and searches: its texts, its calls with their arguments cut, its results. */
export function textOf(stored: Stored, unitsMax: number = argumentUnitsMax): string {
  return normalOf(stored)
    .pieces.map((piece) => textOfPiece(piece, unitsMax))
    .filter((text) => text !== '')
    .join('\n')
}

function textOfPiece(piece: Piece, unitsMax: number): string {
  if (piece.kind === 'text') return piece.text
  return piece.kind === 'image' ? '[image]' : `${piece.name}(${cut(piece.input, unitsMax)})`
}

function cut(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text
  // A character is not cut in two.
  const last = text.charCodeAt(unitsMax - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? unitsMax - 1 : unitsMax)}…`
}
