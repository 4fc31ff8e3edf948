// Programs that tests run as processes of their own.
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const bundles = new Map<string, Promise<string>>()

/** A program in TypeScript as a file that Node can run; bundled once, gone when the tests end. */
export function programOf(entry: string): Promise<string> {
  const known = bundles.get(entry)
  if (known !== undefined) return known
  const bundled = bundle(entry)
  bundles.set(entry, bundled)
  return bundled
}

async function bundle(entry: string): Promise<string> {
  const outfile = join(process.cwd(), 'node_modules/.cache/cairn', `${basename(entry, '.ts')}.${process.pid}.mjs`)
  process.once('exit', () => rmSync(outfile, { force: true }))
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // With what it needs in one file it starts a third faster; only what is compiled stays where it is, and what few programs load and
    // is three times as long as all else.
    external: ['@photostructure/sqlite', 'pg-native', 'gpt-tokenizer'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    loader: { '.sql': 'text' },
    logLevel: 'warning',
  })
  return outfile
}
