import { CairnRefusal } from '../domain/log/refusal.ts'

/**
 * What a caller awaits. Where that is refused, the stack of the error begins with whoever called, and not with where it was refused in
 * here: that is the line to look at, and the one that Node prints when nobody catches the error. It is taken only then, as it costs
 * more than a read.
 */
export function forCaller<Given extends unknown[], Answer>(
  run: (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return async function called(...given) {
    try {
      return await run(...given)
    } catch (error) {
      if (error instanceof CairnRefusal) beginAtCaller(error, called)
      throw error
    }
  }
}

/** Nobody is known who called where the answer is not awaited, or where an engine keeps no such stack: then the stack stays. */
function beginAtCaller(error: Error, called: (...given: never[]) => unknown): void {
  const before = error.stack
  Error.captureStackTrace?.(error, called)
  if (before !== undefined && !/\n\s+at /.test(error.stack ?? '')) error.stack = before
}
