import type { JsonObject } from '../../json/value.ts'
import type { BlobPlace } from './stored.ts'
export function takeLarge(
  message: JsonObject,
  _over: number,
): { message: JsonObject; taken: { path: (string | number)[]; content: Uint8Array; encoding: 'utf8' | 'base64' }[] } {
  return { message, taken: [] }
}
export function putBack(
  message: JsonObject,
  places: readonly BlobPlace[],
  _of: (hash: string) => Uint8Array | undefined,
): { message: JsonObject; missing: BlobPlace[] } {
  return { message, missing: [...places] }
}
