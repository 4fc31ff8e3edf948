// Bundles dashboard/ into dist/ui/: index.html, and in assets/ files whose names have the hash of their contents.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where what it is made of is not installed, a build for trying things out goes without it; a release does not. */
export function canBuildDashboard() {
  return existsSync(join(root, 'node_modules/react/package.json'))
}

/** @returns {Promise<{ path: string, contents: Uint8Array | string }[]>} */
export async function dashboardFiles() {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { main: 'dashboard/src/main.tsx' },
    outdir: 'dist/ui/assets',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    logLevel: 'warning',
  })
  const names = outputFiles.map((file) => basename(file.path))
  const script = names.find((name) => /^main-\w+\.js$/.test(name))
  const style = names.find((name) => /^main-\w+\.css$/.test(name))
  const page = { path: join(root, 'dist/ui/index.html'), contents: pageWith(`${script}`, `${style}`) }
  return [...outputFiles.map(({ path, contents }) => ({ path, contents })), page]
}

/** @param {string} script @param {string} style */
function pageWith(script, style) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Cairn</title>
    <link rel="icon" href="/docs/icon.svg">
    <link rel="stylesheet" href="/ui/assets/${style}">
    <script type="module" src="/ui/assets/${script}"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>The dashboard needs JavaScript. The same can be seen with the command line: cairn ls, cairn show, cairn state get.</noscript>
  </body>
</html>
`
}
