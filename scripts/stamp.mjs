// What a build was made from, as a hash: dist/ is up to date when its stamp says the same.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch {
    return []
  }
}

export function buildWanted() {
  const files = [
    ...filesBelow(join(root, 'src')),
    ...filesBelow(join(root, 'migrations')),
    ...filesBelow(join(root, 'dashboard')),
    join(root, 'scripts/build.mjs'),
    join(root, 'scripts/dashboard.mjs'),
    join(root, 'package.json'),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  return `${hash.digest('hex')}\n`
}
