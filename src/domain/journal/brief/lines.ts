import { isoTime } from '../../log/identity.ts'
import type { AgentResult } from '../../workflow/facts.ts'
import type { ResultFound } from '../../workflow/questions.ts'
import { entryId } from '../numbers.ts'
import type { NeedFound } from '../questions.ts'
import { listOf } from '../shown.ts'
import type {
  BlockerRow,
  DecisionRow,
  FileRow,
  ImplementationRow,
  JournalRow,
  NextActionRow,
  QuestionRow,
  VerificationRow,
} from '../tables.ts'
import { dataName, dataText } from './data.ts'

/** What a session is called, as data. */
export type Author = (no: number) => string

/** To the minute: who reads it wants to know how long ago it was, not when exactly. */
export function minute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace('T', ' ')}Z`
}

const by = ({ no, at }: { no: number; at: number }, author: Author) => `(${author(no)}, ${minute(at)})`

export function nextLine(row: NextActionRow, author: Author): string {
  return `${dataText(row.text)} ${by(row, author)}`
}

export function positionLine(row: JournalRow, phaseName: string | undefined): string | undefined {
  const { phase, plan, task, wave, status } = row
  const parts = [
    ...(phase === null ? [] : [`phase ${phase}${phaseName === undefined ? '' : ` (${dataName(phaseName)})`}`]),
    ...(plan === null ? [] : [`plan ${plan}`]),
    ...(wave === null ? [] : [`wave ${wave}`]),
    ...(task === null ? [] : [`task ${dataText(task)}`]),
    ...(status === null ? [] : [`status ${dataName(status)}`]),
  ]
  return parts.length === 0 ? undefined : `Position: ${parts.join(', ')}`
}

export function needLine({ need, kind, text, name, session, at }: NeedFound): string {
  const who = session === 0 ? '' : ` of ${dataName(name)}`
  return `${entryId('need', need)}, ${kind}${who}: ${dataText(text)} (since ${minute(at)})`
}

export function blockerLine(row: BlockerRow, author: Author): string {
  const { blocker, status, text, affects, workaround } = row
  const others = listOf(affects)
  const more = [
    ...(others.length === 0 ? [] : [`affects ${others.map(dataText).join(', ')}`]),
    ...(workaround === null ? [] : [`workaround ${dataText(workaround)}`]),
  ]
  const rest = more.length === 0 ? '' : `; ${more.join('; ')}`
  return `${entryId('blocker', blocker)}, ${status}: ${dataText(text)}${rest} ${by(row, author)}`
}

interface Alternative {
  readonly text: string
  readonly why_not?: string
}

export function decisionLine(row: DecisionRow, author: Author): string {
  const { decision, kind, text, context, reason, alternatives, reversible } = row
  const others = (alternatives === null ? [] : (JSON.parse(alternatives) as Alternative[])).map(
    ({ text: other, why_not: why }) => dataText(why === undefined ? other : `${other}: ${why}`),
  )
  const rest = others.length === 0 ? '' : `; not ${others.join(', ')}`
  const final = reversible === 1 ? '' : ', irreversible'
  return `${entryId('decision', decision)}, ${kind}${final}, on ${dataText(context)}: ${dataText(text)} because ${dataText(reason)}${rest} ${by(row, author)}`
}

export function questionLine(row: QuestionRow, author: Author): string {
  return `${entryId('question', row.question)}: ${dataText(row.text)} ${by(row, author)}`
}

export function fileLine({ file }: FileRow): string {
  return `changed file ${dataText(file)}`
}

export function implementationLine({ text, file, contains }: ImplementationRow): string {
  const where = file === null ? '' : ` in ${dataText(file)}`
  return `built ${dataText(text)}${where}${contains === null ? '' : `, which contains ${dataText(contains)}`}`
}

export function verificationLine(row: VerificationRow, author: Author): string {
  const details = row.details === null ? '' : `: ${dataText(row.details)}`
  return `${row.passed === 1 ? 'passed' : 'FAILED'}: ${dataText(row.text)}${details} ${by(row, author)}`
}

/** A result can be as long as a page: its beginning says what came of the work. */
const resultShown = 400

export function resultLine({ id, status, result, result_seq: seq }: ResultFound): string {
  const { text, blob, bytes } = JSON.parse(result ?? '{}') as AgentResult
  const begin = text?.slice(0, resultShown)
  const more = [
    ...(begin === text ? [] : [`the beginning of ${bytes} bytes`]),
    ...(blob === undefined ? [] : [`blob ${blob}`]),
    `event ${seq}`,
  ]
  return `${dataName(id)}, ${status}: ${begin === undefined ? `${bytes} bytes` : dataText(begin)} (${more.join(', ')})`
}
