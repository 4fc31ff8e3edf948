// What a person does in the dashboard, and what agents wrote into it.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DemoFlow, demoFlow } from './demo-flow.ts'
import { type Demo, demoWork } from './demo-work.ts'
import { forgive, loggedIn, newLink, nothingWrongWasSaid, ownerOf, restart, servedUi } from './served-ui.ts'

const served = servedUi()
let demo: Demo
let flow: DemoFlow
let page: Page

beforeAll(async () => {
  const cairn = ownerOf(served)
  demo = await demoWork(cairn)
  flow = await demoFlow(cairn)
  page = (await loggedIn(served)).page
})
afterEach(() => {
  // A root without state, or without a folder, is answered so; the browser tells of every such answer.
  forgive(/404 .*(?:state\.all|folder\.list)/)
  nothingWrongWasSaid()
})

const ui = (path: string) => page.goto(`${served.url}/ui/${path}`)
const tabs = ['overview', 'state', 'timeline', 'conversations', 'journal', 'files', 'forks']

describe('acting', () => {
  it('C26 what needs a person is answered on Home, and is gone when the log says so', async () => {
    await ui('')
    const needs = page.getByRole('region', { name: 'Needs you' })
    await needs.getByText('May I change the public API').waitFor()
    await needs.getByRole('button', { name: 'no', exact: true }).click()
    await needs.waitFor({ state: 'detached' })
    const { events } = await demo.cairn.log.list({ session: flow.root, stream: 'journal' })
    expect(events.at(-1)).toMatchObject({
      type: 'need_met',
      data: { how: 'answered', answer: 'no' },
      actor: 'dashboard',
    })
  })

  it('C26 S1-85 a session is paused, resumed and cancelled, each with its consequence and its command', async () => {
    await ui(`s/${flow.root}/overview`)
    for (const [verb, status] of [
      ['Pause', 'paused'],
      ['Resume', 'running'],
    ] as const) {
      await page.getByRole('button', { name: `${verb}…` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`cairn ${verb.toLowerCase()} ${flow.root.slice(-8)}`).waitFor()
      await dialog.getByRole('button', { name: verb }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(async () => (await demo.cairn.session.show({ session: flow.root })).status).toBe(status)
      await page.getByRole('button', { name: status === 'paused' ? 'Resume…' : 'Pause…' }).waitFor()
    }
    await page.getByRole('region', { name: 'Graph of agents' }).getByRole('button', { name: /^docs/ }).click()
    await page.getByRole('complementary', { name: 'Agent' }).getByRole('button', { name: 'Retry…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => (await demo.cairn.session.show({ session: flow.agents.docs })).status).toBe('created')
  })

  it('a blocker is resolved where it stands in the Journal', async () => {
    await ui(`s/${flow.root}/journal`)
    const blockers = page.getByRole('region', { name: 'Blockers' })
    await blockers.getByText('The large sample').waitFor()
    await page.getByRole('region', { name: 'Decisions' }).getByText('Keep the public API').waitFor()
    await page.getByRole('region', { name: 'Tasks' }).getByText('1 of 3 done').waitFor()
    await blockers.getByRole('textbox', { name: 'Resolution' }).fill('It was copied')
    await blockers.getByRole('button', { name: 'Resolve' }).click()
    await blockers.getByText('Resolved: It was copied').waitFor()
    const brief = page.getByRole('region', { name: 'Brief' })
    await brief.getByRole('button').first().click()
    await brief.getByText(/^\d+ tokens$/).waitFor()
    await brief.getByText('# Brief').waitFor()
  })

  it('shows forks with where they parted and what differs, and the health of the store', async () => {
    const { session_id: fork } = await demo.cairn.session.fork({ session: demo.root, at: 10 })
    await demo.cairn.state.set({ session: fork, key: 'only/there', value: 1 })
    await ui(`s/${demo.root}/forks`)
    await page.getByText('after event 10').waitFor()
    await page.getByRole('button', { name: 'What differs' }).click()
    await page.getByRole('region', { name: 'What differs' }).getByText('only/there').waitFor()
    await ui('health')
    await page.getByRole('button', { name: 'Check the store' }).click()
    const checks = page.getByRole('list', { name: 'Checks' })
    await checks.waitFor()
    expect(
      await checks
        .getByRole('listitem')
        .filter({ has: page.locator('.status.failed') })
        .allTextContents(),
    ).toEqual([])
  })
})

describe('by keyboard only', () => {
  it('finds a key, steps through time, changes tabs and closes what is open', async () => {
    await ui(`s/${demo.root}/overview`)
    await page.getByRole('slider', { name: 'Moment' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Session, agent/ }).waitFor()
    await page.keyboard.type('key findings')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Key findings' })
    await panel.waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect.poll(() => page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('[')
    await page.getByText(/^As it was after event \d+ of \d+/).waitFor()
    await page.keyboard.press('l')
    await page.getByText(/^As it was after event/).waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Timeline' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.getByRole('tab', { name: 'State' }).getAttribute('aria-selected')).toBe('true')
    await page.getByRole('grid', { name: 'Keys' }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('j')
    await page.getByRole('complementary', { name: 'Key config' }).waitFor()
  })
})

describe('what agents wrote', () => {
  const evil = [
    '<img src=x onerror="window.pwned=1">',
    '<script>window.pwned=1</script>',
    'javascript:window.pwned=1',
    '"><svg onload=window.pwned=1>',
    '{{constructor.constructor("window.pwned=1")()}}',
    '\u001b[31mred\u001b]8;;javascript:window.pwned=1\u0007link\u202egnp.exe',
  ]

  /** Control characters are refused in names and in the journal. */
  const visible = (text: string) => text.replace(/\p{Cc}|\u202e/gu, '')

  it('is text wherever it is shown: no markup, no link, no control character', async () => {
    const { cairn } = demo
    const { session_id: session } = await cairn.session.create({
      topic: evil[0] as string,
      objective: evil[1] as string,
    })
    for (const [at, text] of evil.entries()) {
      await cairn.state.set({ session, key: `k${at} ${visible(text)}`, value: { [text]: text } })
      await cairn.context.append({ session, role: 'user', content: text })
      await cairn.decision.add({ session, decision: visible(text), context: visible(text), reason: visible(text) })
      await cairn.blocker.add({ session, description: visible(text) })
      await cairn.task.add({ session, text: visible(text) })
    }
    const { session_id: child } = await cairn.session.create({
      topic: evil[3] as string,
      parent: session,
      name: evil[1] as string,
    })
    await cairn.session.ask({ session: child, text: evil[0] as string, actions: [evil[1] as string] })
    await ui('')
    await page.getByText('<img src=x').first().waitFor()
    for (const tab of tabs) {
      await ui(`s/${session}/${tab}`)
      await page.getByRole('tabpanel').waitFor()
      await expect.poll(() => page.getByRole('tabpanel').textContent()).not.toMatch(/^Loading/)
    }
    await ui(`s/${session}/state?key=${encodeURIComponent(`k0 ${evil[0]}`)}`)
    await page.getByRole('complementary').getByRole('heading', { name: 'History' }).waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0)
    await ui(`s/${session}/conversations`)
    await page.getByText('redlink').waitFor()
    const shown = (await page.locator('main').textContent()) ?? ''
    expect([...'\u0000\u0007\u001b\u202e'].filter((sign) => shown.includes(sign))).toEqual([])
  })
})

describe('whoever needs more than eyes and a mouse', () => {
  /** In the dark nothing but the colours is another. */
  const axe = (own: Page, colours: 'light' | 'dark') =>
    colours === 'dark'
      ? new AxeBuilder({ page: own }).withRules(['color-contrast'])
      : new AxeBuilder({ page: own }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa'])

  it.each(['light', 'dark'] as const)('finds nothing that axe objects to, %s', async (colorScheme) => {
    const { page: own, context } = await loggedIn(served, { colorScheme })
    const views = [
      '',
      'health',
      ...tabs.map((tab) => `s/${flow.root}/${tab}`),
      `s/${demo.root}/state?key=findings`,
      `s/${demo.root}/state?at=8`,
      `s/${demo.root}/conversations`,
      `s/${demo.root}/timeline?event=9&from=4&to=17`,
    ]
    const wrong: string[] = []
    for (const view of views) {
      await own.goto(`${served.url}/ui/${view}`)
      await own.getByRole('main').locator('h1').waitFor()
      await own.waitForLoadState('networkidle')
      const { violations } = await axe(own, colorScheme).analyze()
      wrong.push(
        ...violations.map(
          ({ id, nodes }) => `${view}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
        ),
      )
    }
    expect(wrong).toEqual([])
    await context.close()
  })

  it('fits a narrow screen: nothing is wider than it', async () => {
    const { page: own, context } = await loggedIn(served, { viewport: { width: 360, height: 740 } })
    for (const view of ['', 'health', ...tabs.map((tab) => `s/${flow.root}/${tab}`)]) {
      await own.goto(`${served.url}/ui/${view}`)
      await own.getByRole('main').locator('h1').waitFor()
      expect([view, await own.evaluate('document.documentElement.scrollWidth')]).toEqual([view, 360])
    }
    await context.close()
  })
})

describe('what goes wrong', () => {
  it('a server that is restarted under an open page: it says so, and goes on where it was', async () => {
    await ui(`s/${demo.root}/state`)
    await page.getByRole('row', { name: /^done/ }).waitFor()
    await served.cairn.answer(['down'])
    await page.getByText('The server does not answer').waitFor()
    await demo.cairn.close()
    await restart(served)
    await page.getByText('The server does not answer').waitFor({ state: 'detached' })
    await served.cairn.answer(['state', 'set', 'after', '1', '--session', demo.root])
    await page.getByRole('row', { name: /^after/ }).waitFor()
    forgive(/ERR_CONNECTION_REFUSED|WebSocket|ERR_EMPTY|ERR_CONNECTION_RESET|50\d/)
  })

  it('an address that leads nowhere, a session that is not there, and no login each say what to do', async () => {
    await ui('s/sess_0123456789abcdef0123456789abcdef/state')
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Show all sessions' }).waitFor()
    await ui('no/such/page')
    await page.getByText('There is no such page').waitFor()
    forgive(/404 .*session\.show/)
    const context = await served.browser.newContext()
    const stranger = await context.newPage()
    await stranger.goto(`${served.url}/ui/s/${demo.root}/state`)
    await stranger.getByRole('heading', { name: 'Not logged in' }).waitFor()
    await stranger.getByText('cairn ui').waitFor()
    const link = await newLink(served)
    await stranger.goto(link)
    await stranger.getByRole('button', { name: 'Log out' }).click()
    await stranger.getByRole('heading', { name: 'Not logged in' }).waitFor()
    await stranger.goto(link)
    await stranger.getByText('invalid or has expired').waitFor()
    await context.close()
  })
})
