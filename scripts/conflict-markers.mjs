// Fails where a merge was committed half done: in any file that git knows, but for the fixtures.
import { spawnSync } from 'node:child_process'

const args = ['grep', '-nE', '^(<<<<<<<|>>>>>>>) ', '--', '.', ':!test/fixtures']
const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
// It exits with 1 where nothing is found, and with more where there is no repository, as in a package.
if (status === 0) {
  process.stderr.write(`conflict markers:\n${stdout}`)
  process.exitCode = 1
}
