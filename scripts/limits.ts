// Writes docs/limits.md: every limit that can be set, what one is told who meets it, and the test that does.
import { writeFileSync } from 'node:fs'
import { limitsPage } from '../test/hostile/limits-page.ts'

writeFileSync('docs/limits.md', limitsPage())
