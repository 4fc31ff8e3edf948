import type { Asked } from '../registry/presentation.ts'
import type { Request } from '../request.ts'
import { usageError } from '../usage.ts'

/** A text without quotes is no JSON document. */
export function unlessJson({ request, json }: Asked): Request['input'] {
  if (json && request.own.has('raw')) throw usageError('--raw and --json cannot be combined.', 'Leave one of them out.')
  return request.input
}
