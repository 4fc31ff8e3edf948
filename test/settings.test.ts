// Every setting that the program knows stands in docs/settings.md, and nothing else does.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Limits, limitNames, limitTable, nameBytesMax, pageMax } from '../src/domain/log/limits.ts'
import { Refusal } from '../src/domain/log/refusal.ts'
import { type Config, limitVariable, loadConfig } from '../src/home/config.ts'
import { sessionVariables } from '../src/home/session-meant.ts'
import { globalFlags } from '../src/surfaces/cli/flags.ts'
import { ownCommand } from '../src/surfaces/cli/registry/own-commands.ts'
import { committedFiles } from './setup/source-files.ts'

const page = readFileSync('docs/settings.md', 'utf8')

/** The rows of the table below a heading, each as its cells. */
function rowsOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '))
}

const settings = rowsOf('Settings')
const code = (cell: string | undefined) => /`([^`]+)`/.exec(cell ?? '')?.[1]

/** Variables that the source reads, as `process.env.NAME`, out of `process.env`, or by a list of names. */
function variablesRead(): Set<string> {
  const names = new Set<string>(sessionVariables)
  for (const path of committedFiles().filter((each) => /^src\/.*\.ts$/.test(each))) {
    const text = readFileSync(path, 'utf8')
    for (const [, name] of text.matchAll(/process\.env\.([A-Z_]+)/g)) names.add(name as string)
    for (const [, list] of text.matchAll(/const \{([^}]*)\} = process\.env\b/g)) {
      for (const [name] of (list as string).matchAll(/\b[A-Z][A-Z_]+\b/g)) names.add(name)
    }
  }
  return names
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'cairn-settings-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

function setVariables(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

describe('docs/settings.md', () => {
  it('U8 has every variable of the environment that is read, and no other', () => {
    const others = [...(/other programs[\s\S]*?\n\n/.exec(page)?.[0] ?? '').matchAll(/`([A-Z_]+)`/g)].map(
      ([, name]) => name,
    )
    const named = settings.map(([, variable]) => code(variable)).filter((name) => name !== undefined)
    expect([...named, ...others].sort()).toEqual([...variablesRead()].sort())
  })

  it('U8 has every flag of the program and of a server, and no other', () => {
    const flags = [...globalFlags, ...(ownCommand(['serve'])?.flags ?? [])].map(({ name }) => `--${name}`)
    const ofOutput = ['--json', '--help']
    const named = new Set(settings.map(([, , flag]) => code(flag)?.split(' ')[0]).filter((name) => name !== undefined))
    named.delete('--session')
    expect([...named].sort()).toEqual(flags.filter((name) => !ofOutput.includes(name)).sort())
  })

  it('U8 has every limit with its variable, its default, its bounds and its meaning, and no other', () => {
    const rows = limitNames.map((name) => {
      const { usual, min, max, about } = limitTable[name]
      const to = max === Number.MAX_SAFE_INTEGER ? '–' : String(max)
      return [`\`${name}\``, `\`${limitVariable(name)}\``, '–', String(usual), String(min), to, about]
    })
    expect(rowsOf('Limits that can be set')).toEqual(rows)
  })

  it('has the limits that cannot be set', () => {
    const fixed = new Map(rowsOf('Limits that are fixed') as [string, string][])
    expect(fixed.get('Name of a session')).toBe(`${nameBytesMax} bytes`)
    expect(fixed.get('Page of a list')).toBe(`${pageMax} entries`)
  })
})

describe('limits', () => {
  it.each(limitNames)('U8 %s can be set by option, environment and config.json, in this order', (name) => {
    const home = newHome()
    const { usual, min, max } = limitTable[name]
    const limitIn = (limits?: Partial<Limits>) => (loadConfig({ home, limits }) as Config).limits[name]
    expect(limitIn()).toBe(usual)
    writeFileSync(join(home, 'config.json'), JSON.stringify({ limits: { [name]: min } }))
    expect(limitIn()).toBe(min)
    setVariables({ [limitVariable(name)]: String(min + 1) })
    expect(limitIn()).toBe(min + 1)
    expect(limitIn({ [name]: min + 2 })).toBe(min + 2)
    expect(limitIn({ [name]: max })).toBe(max)
  })

  it.each(limitNames)('U8 %s is refused by its name where it cannot be', (name) => {
    const home = newHome()
    mkdirSync(home, { recursive: true })
    const { min, max } = limitTable[name]
    const variable = limitVariable(name)
    for (const wrong of [
      'x',
      String(min - 1),
      '1.5',
      '-1',
      ...(max < Number.MAX_SAFE_INTEGER ? [String(max + 1)] : []),
    ]) {
      setVariables({ [variable]: wrong })
      const refusal = loadConfig({ home })
      expect(refusal, wrong).toBeInstanceOf(Refusal)
      expect(refusal).toMatchObject({
        code: 'invalid_input',
        message: `${variable} must be a whole number from ${min} to ${max}.`,
      })
    }
    setVariables({ [variable]: '' })
    expect(loadConfig({ home, limits: { [name]: min - 1 } })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`limits.${name}`),
    })
  })
})
