import type { Stage } from './stage.ts'

/** Two sessions change one key; the second one did not see the first and is told so. */
export async function showConflict(stage: Stage): Promise<void> {
  stage.title('4  Nobody overwrites what they have not seen')
  stage.show((await stage.type('state', 'set', 'plan', '"rewrite lexer"', '--session', 'profile')).out)
  stage.show((await stage.type('state', 'set', 'plan', '"tune lexer"', '--session', 'fix')).out)
  const refused = await stage.type('state', 'set', 'plan', '"do nothing"', '--session', 'review', '--version', '1')
  stage.show(refused.err)
  stage.check('its exit code', 5, refused.exit ?? -1)
}

interface Log {
  readonly events: readonly { seq: number; key: string | null; type: string }[]
  readonly last_seq: number
}

/** Every moment can be read again, and each event says who made it. */
export async function showPast(stage: Stage): Promise<number> {
  stage.title('5  The past can be read, and it says who did what')
  const { events, last_seq: last } = (await stage.ask('log', '--limit', '1000')) as unknown as Log
  const increments = events.filter(({ key, type }) => key === 'done' && type === 'increment')
  const middle = increments[Math.floor(increments.length / 2)]?.seq ?? last
  const then = await stage.type('state', 'get', 'done', '--at', String(middle))
  stage.check(
    `done at ${middle}, counted from the log`,
    increments.filter(({ seq }) => seq <= middle).length,
    Number(then.out),
  )
  stage.show((await stage.type('log', '--since', String(last - 4))).out)
  return last
}
