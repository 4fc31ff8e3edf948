import type { AnswerOf } from '../registry/presentation.ts'
import type { Stage } from './stage.ts'

/** What one session writes the others read; one that writes without having seen the newest is told so. */
export async function showConflict(stage: Stage): Promise<void> {
  stage.title('4  All read what one wrote, and nobody overwrites what they have not seen')
  stage.show((await stage.type('state', 'set', 'plan', '{"do": "rewrite lexer"}', '--session', 'profile')).out)
  stage.show((await stage.type('state', 'get', 'plan', '--session', 'review')).out)
  stage.show((await stage.type('state', 'merge', 'plan', '{"do": "tune lexer"}', '--session', 'fix')).out)
  const refused = await stage.type('state', 'set', 'plan', '{"do": "nothing"}', '--session', 'review', '--version', '1')
  stage.show(refused.err)
  stage.check('its exit code', 5, refused.exit ?? -1)
}

/** Every moment can be read again, and each value says who made it what it is. */
export async function showPast(stage: Stage): Promise<number> {
  stage.title('5  The past can be read, and a value says why it is what it is')
  const { events, last_seq: last } = await stage.ask<AnswerOf<'log.list'>>('log', '--limit', '1000')
  const increments = events.filter(({ key, type }) => key === 'done' && type === 'increment')
  const middle = increments[Math.floor(increments.length / 2)]?.seq ?? last
  const then = await stage.type('state', 'get', 'done', '--at', String(middle))
  stage.check(
    `done at ${middle}, counted from the log`,
    increments.filter(({ seq }) => seq <= middle).length,
    Number(then.out),
  )
  const why = await stage.type('why', 'plan')
  stage.show(why.out)
  // Below the line of titles.
  stage.check('writes behind the plan', 2, why.out.trimEnd().split('\n').length - 1)
  return last
}
