const steps = [
  { unit: 's', ms: 1000, upTo: 60_000 },
  { unit: 'm', ms: 60_000, upTo: 3_600_000 },
  { unit: 'h', ms: 3_600_000, upTo: 86_400_000 },
  { unit: 'd', ms: 86_400_000, upTo: 30 * 86_400_000 },
] as const

/** `5m ago`; the day itself when it is long ago or, with clocks that differ, ahead. */
export function relative(iso: string, now: number): string {
  const ms = now - Date.parse(iso)
  if (Math.abs(ms) < 1000) return 'now'
  const step = steps.find(({ upTo }) => ms > 0 && ms < upTo)
  return step === undefined ? iso.slice(0, 10) : `${Math.floor(ms / step.ms)}${step.unit} ago`
}
