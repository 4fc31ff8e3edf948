import type { Answer } from '../../domain/log/rows.ts'

const schema = 'Session state manifest v2 - programmatic updates only'

/** `state.json` of a folder of this name, from what `manifest.show` says; `cairn` tells a reader where the log is. */
export function renderManifest(
  shown: Answer,
  name: string,
  cairn: { root: string; replica: string } | undefined,
): string {
  return `${JSON.stringify({ $schema: schema, ...shown, session_id: name, ...(cairn && { cairn: { root: cairn.root, replica: cairn.replica } }) }, undefined, 2)}\n`
}
