import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Context } from './scenario.ts'

/** Milliseconds from the start of a program to its end. */
export function msOfProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = '.'): number {
  const start = performance.now()
  run(args, env, cwd)
  return performance.now() - start
}

/** What a program printed, run by this Node; one that fails ends the scenario. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = '.'): string {
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', cwd, env: { ...process.env, ...env } })
  if (ended.status === 0) return ended.stdout
  throw new Error(`${args.join(' ')} ended with ${ended.status ?? ended.signal}: ${ended.stderr}`)
}

/** Bundles a program of bench/ as the build does, in chunks: what is not used is not loaded. */
export async function bundled(context: Context, name: string): Promise<string> {
  const outdir = join('node_modules/.cache/cairn', `bench-${name}.${process.pid}`)
  await esbuild.build({
    entryPoints: { [name]: join('bench', `${name}.ts`) },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    loader: { '.sql': 'text' },
    logLevel: 'warning',
  })
  context.atEnd(() => rmSync(outdir, { recursive: true, force: true }))
  return join(outdir, `${name}.mjs`)
}
