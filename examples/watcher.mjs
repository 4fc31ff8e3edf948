// Shows what happens below a root, from its beginning and as it happens: node examples/watcher.mjs SESSION
// It ends when the root does. A server that is started again in between makes no difference: nothing is shown twice or left out.
import { CairnRefusal, connect } from 'agent-cairn/client'
import { server } from './server.mjs'

const [, , session] = process.argv
if (session === undefined) {
  console.error('usage: node examples/watcher.mjs SESSION')
  process.exit(2)
}

const ended = new Set(['completed', 'failed', 'cancelled', 'skipped'])
const cairn = connect(server)
try {
  const { root_session_id: root } = await cairn.session.show({ session })
  for await (const event of cairn.follow({ session })) {
    console.log(`${event.seq} ${event.type}${event.key === null ? '' : ` ${event.key}`} ${JSON.stringify(event.data)}`)
    if (event.type === 'status_changed' && event.session_id === root && ended.has(event.data.to)) break
  }
} catch (error) {
  if (!(error instanceof CairnRefusal)) throw error
  console.error(`${error.message} ${error.hint}`)
  process.exitCode = 1
}
await cairn.close()
