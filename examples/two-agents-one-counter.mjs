// Two agents add to one counter at the same time, and nothing is lost.
import { connect } from 'agent-cairn/client'
import { server } from './server.mjs'

const cairn = connect(server)
const { session_id: root } = await cairn.session.create({ topic: 'two agents, one counter' })

/** An agent is a session below the root: all of them share the state of the root. */
async function startAgent(name) {
  const { session_id: session } = await cairn.session.create({ topic: `count as ${name}`, parent: root, name })
  return { name, session, cairn: connect({ ...server, session }) }
}

/** Adds without knowing the value: the server does the sum. A call whose answer is lost is repeated and counts once. */
async function count(agent, times) {
  for (let time = 0; time < times; time++) await agent.cairn.state.increment({ key: 'counter' })
}

/** Reads, computes and writes if nobody was faster; else again with the new value. */
async function sign(agent) {
  const fn = (names) => [...(names ?? []), agent.name].sort()
  await agent.cairn.state.update({ key: 'signed_by', fn })
}

const agents = await Promise.all([startAgent('ada'), startAgent('bob')])
await Promise.all(agents.map((agent) => count(agent, 100)))
await Promise.all(agents.map(sign))

const { state } = await cairn.state.all({ session: root })
console.log(`The counter is ${state.counter}, signed by ${state.signed_by.join(' and ')}.`)

const { events } = await cairn.log.list({ session: root, stream: 'state', limit: 1000 })
for (const { name, session } of agents) {
  const own = events.filter((event) => event.session_id === session && event.type === 'increment')
  console.log(`${name} counted ${own.length} times.`)
}

// What is done is ended, and the agents below it with it: nothing is left that looks unfinished.
await cairn.session.end({ session: root })
