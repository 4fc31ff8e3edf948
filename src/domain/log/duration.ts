import { type Refusal, refuse } from './refusal.ts'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `500ms`, `30s`, `2h`, or a bare number of seconds. */
export function readDuration(text: string): number | Refusal {
  const [, count, unit = 's'] = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text) ?? []
  const ms = Math.round(Number(count) * (unitMs[unit] ?? Number.NaN))
  if (Number.isSafeInteger(ms)) return ms
  return refuse(
    'invalid_input',
    `${JSON.stringify(text.slice(0, 50))} is no duration.`,
    'Write 500ms, 30s, 10m, 2h or 7d.',
  )
}
