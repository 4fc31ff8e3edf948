import { type Refusal, refuse } from './refusal.ts'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `59 s`, `12 min` or `3 h`: whole units, never more than there is; below a second `800 ms`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.floor(ms))} ms`
  if (ms < 2 * 60_000) return `${Math.floor(ms / 1000)} s`
  if (ms < 2 * 3_600_000) return `${Math.floor(ms / 60_000)} min`
  return ms < 48 * 3_600_000 ? `${Math.floor(ms / 3_600_000)} h` : `${Math.floor(ms / 86_400_000)} d`
}

/** `4s`, `12m`, `9h 41m` or `2d 3h`: as short as a report has it. */
export function spanText(ms: number): string {
  const [seconds, minutes, hours] = [1000, 60_000, 3_600_000].map((unit) => Math.max(0, Math.floor(ms / unit))) as [
    number,
    number,
    number,
  ]
  if (minutes === 0) return `${seconds}s`
  if (hours === 0) return `${minutes}m`
  if (hours < 48) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`
  return hours % 24 === 0 ? `${hours / 24}d` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}

/** A duration as it was given, with its unit where it is a bare number of seconds. */
export function withUnit(given: string): string {
  return /\d$/.test(given) ? `${given}s` : given
}

/** `500ms`, `30s`, `2h`, or a bare number of seconds. */
export function readDuration(text: string): number | Refusal {
  const [, count, unit = 's'] = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text) ?? []
  const ms = Math.round(Number(count) * (unitMs[unit] ?? Number.NaN))
  if (Number.isSafeInteger(ms)) return ms
  return refuse(
    'invalid_input',
    `${JSON.stringify(text.slice(0, 50))} is not a valid duration.`,
    'Write 500ms, 30s, 10m, 2h or 7d; a bare number is seconds.',
  )
}
