/** What a program needs to run, and nothing that is anybody's secret. */
const passed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'] as const

export type Environment = Readonly<Record<string, string | undefined>>

/** Variables of an environment that a program it starts may have: those that any program needs, and the ones that are named. */
export function plainEnvironment(env: Environment, named: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    [...passed, ...named].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
}
