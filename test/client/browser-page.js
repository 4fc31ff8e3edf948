// What the page of the browser test does; it runs in the browser.

/**
 * @param {typeof import('../../src/client/index.ts')} client
 * @param {import('../../src/client/index.ts').ConnectOptions} options
 */
export async function work({ connect, CairnRefusal }, options) {
  const cairn = connect(options)
  const events = cairn.follow({ stream: 'state' })
  await cairn.state.set({ key: 'page', value: { is: 'open' } })
  const counted = await cairn.state.increment({ key: 'n' })
  const heard = []
  while (heard.length < 3) heard.push((await events.next()).value?.type)
  const refusal = await cairn.state
    .set({ key: 'n', value: 7, version: 9 })
    .catch((/** @type {unknown} */ error) => error)
  const code = refusal instanceof CairnRefusal ? refusal.code : String(refusal)
  await cairn.close()
  return { counted, heard, code, ended: (await events.next()).done }
}
