// Any moment of the past, on every tab: exactly as the commands show it with --at.
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, demoWork } from './demo-work.ts'
import { forgive, loggedIn, nothingWrongWasSaid, ownerOf, servedUi } from './served-ui.ts'

const served = servedUi()
let demo: Demo
let page: Page

beforeAll(async () => {
  demo = await demoWork(ownerOf(served))
  page = (await loggedIn(served)).page
})
afterEach(nothingWrongWasSaid)

const open = (tab: string, query = '') => page.goto(`${served.url}/ui/s/${demo.root}/${tab}${query}`)
const command = (...words: string[]) => served.cairn.answer([...words, '--session', demo.root])

/** What the State tab shows: each key with its value as one line, and its version. */
async function keysShown(): Promise<Record<string, [string, string]>> {
  const rows = await page.getByRole('grid', { name: 'Keys' }).getByRole('row').all()
  const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('gridcell').allTextContents()))
  return Object.fromEntries(
    cells.map(([key = '', value = '', version = '']) => [key.replace(/ephemeral$/, ''), [value, version]]),
  )
}

const lineOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(lineOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${lineOf(inner)}`)
    .join(', ')}}`
}

/** As it is after an event: the strip says so once all of it is there. */
async function stepTo(seq: number, last: number): Promise<void> {
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.focus()
  const words = seq === last ? `now, event ${last}` : `event ${seq} of ${last}`
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(words)
  const notice = page.getByRole('status').getByText(`As it was after event ${seq} of ${last}`)
  if (seq < last) await notice.waitFor()
}

describe('the past', () => {
  it('S0-103 the State tab shows at each step what cairn state get --at prints', async () => {
    const { last_seq: last } = await command('log', '--limit', '1')
    await open('state', '?at=2')
    for (let seq = 2; seq < last; seq++) {
      await stepTo(seq, last)
      const { keys } = await command('state', 'get', '--at', String(seq))
      const wanted = Object.entries(keys as Record<string, { value: unknown; version: number }>).map(
        ([key, { value, version }]) => [key, [lineOf(value), String(version)]],
      )
      await expect.poll(keysShown).toEqual(Object.fromEntries(wanted))
      await page.keyboard.press('ArrowRight')
    }
    await stepTo(last, last)
  })

  it('the other tabs show that moment too, and the address names it', async () => {
    const { last_seq: last } = await command('log', '--limit', '1')
    for (const seq of [5, 9, 13, last - 1]) {
      const tree = await served.cairn.answer(['tree', demo.root, '--at', String(seq)])
      const [, profile] = [tree, ...tree.children]
      await open('overview', `?at=${seq}`)
      await stepTo(seq, last)
      const nodes = await page.getByRole('region', { name: 'Graph of agents' }).getByRole('button').allTextContents()
      const wanted = tree.children.map(
        ({ session_name, status }: { session_name: string; status: string }) => session_name + status,
      )
      expect(nodes).toEqual(wanted)
      await page.getByRole('tab', { name: 'Conversations' }).click()
      expect(page.url()).toContain(`conversations?at=${seq}`)
      const { messages } = await served.cairn.answer([
        'context',
        'show',
        profile.session_id,
        '--at',
        String(seq),
        '--format',
        'text',
      ])
      const said = messages.filter(({ role }: { role: string }) => role !== 'tool').length
      await expect.poll(() => page.getByRole('article').count()).toBe(said)
      await page.getByRole('tab', { name: 'Timeline' }).click()
      const events = page.getByRole('grid', { name: 'Events' })
      await expect.poll(() => events.getAttribute('aria-rowcount')).toBe(String(seq + 1))
    }
    await page.getByRole('button', { name: 'Go to now' }).click()
    await stepTo(last, last)
  })

  it('S0-102 S0-105 the Timeline has every event with its author, and finds those that are wanted', async () => {
    const { events, last_seq: last } = await command('log', '--since', '0')
    await open('timeline')
    const table = page.getByRole('grid', { name: 'Events' })
    const shown = async () => {
      const rows = await table.getByRole('row').all()
      const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('gridcell').allTextContents()))
      return cells.map(([seq, , , type]) => `${seq} ${type}`)
    }
    await expect.poll(shown).toEqual(events.map(({ seq, type }: { seq: number; type: string }) => `${seq} ${type}`))
    await table.getByRole('row', { name: /fix set plan\/next/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter events' }).fill('findings')
    const found = events.filter((event: object) => JSON.stringify(event).includes('findings')).length
    await page.getByText(`${found} found from event 1 on.`).waitFor()
    await page.getByRole('combobox', { name: 'About' }).selectOption('state')
    await expect.poll(async () => (await shown()).every((row) => /init|append/.test(row))).toBe(true)
    expect(last).toBe(events.length)
  })

  it('S0-104 what differs between two marks, and a fork from there', async () => {
    await open('timeline')
    const table = page.getByRole('grid', { name: 'Events' })
    await table.getByRole('row', { name: /^4 / }).click()
    await page.getByRole('button', { name: 'Compare from here' }).click()
    await table.getByRole('row', { name: /^17 / }).click()
    await page.getByRole('button', { name: 'Compare to here' }).click()
    const diff = page.getByRole('region', { name: 'What changed from event 4 to event 17' })
    const { changes } = await command('state', 'diff', '4', '17')
    await expect.poll(() => diff.getByRole('listitem').count()).toBe(changes.length)
    await page.getByRole('button', { name: 'Fork from here…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click()
    await page.waitForURL((url) => !url.pathname.includes(demo.root))
    const fork = new URL(page.url()).pathname.split('/')[3] as string
    const then = await command('state', 'get', '--at', '17')
    expect((await served.cairn.answer(['state', 'get', '--session', fork])).state).toEqual(then.state)
    await expect.poll(async () => Object.keys(await keysShown())).toEqual(Object.keys(then.state).sort())
  })

  it('plays from the beginning to now, and stands still where it is stopped', async () => {
    const { last_seq: last } = await command('log', '--limit', '1')
    await open('state')
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('16')
    await page.getByRole('button', { name: 'Play' }).click()
    forgive(/404 .*state\.all/)
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await stepTo(last, last)
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.getByRole('main').click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('[')
    await stepTo(last - 1, last)
    await page.keyboard.press('l')
    await stepTo(last, last)
    forgive(/404 .*state\.all/)
  })
})

describe('the Conversations tab', () => {
  it('has what was said with calls folded, and leads from a message to the state it changed and back', async () => {
    await open('conversations')
    const answer = page.getByRole('article', { name: /^assistant, message 2/ })
    await answer.getByText('I will profile it on the large file.').waitFor()
    await expect.poll(() => answer.getByText('"length"').isVisible()).toBe(false)
    await answer.getByText('state_append').click()
    await answer.getByText('{"length": 1}').waitFor()
    await answer.getByRole('button', { name: 'findings' }).click()
    const panel = page.getByRole('complementary', { name: 'Key findings' })
    await panel.getByRole('button', { name: 'state_append' }).click()
    await page.waitForURL(/conversations\?.*point=2/)
    await answer.getByText('I will profile it on the large file.').waitFor()
  })

  it('shows at once what is said, and hides nothing that was rewound', async () => {
    const session = demo.agents.read
    await demo.cairn.context.append({ session, role: 'user', content: 'Read the parser.' })
    await open('conversations', `?agent=${session}`)
    await page.getByText('Read the parser.').waitFor()
    await demo.cairn.context.append({ session, role: 'assistant', content: 'It is short.' })
    await page.getByText('It is short.').waitFor()
    await page.getByRole('article', { name: 'user, message 1' }).getByRole('button', { name: 'Rewind…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing is deleted').waitFor()
    await dialog.getByRole('button', { name: 'Rewind' }).click()
    await page.getByText('Rewound to message 1').waitFor()
    await page.getByRole('article', { name: 'assistant, message 2' }).getByText('hidden').waitFor()
    const { messages } = await demo.cairn.context.show({ session })
    expect(messages).toHaveLength(1)
  })
})
