// What LangGraph.js with its SQLite checkpointer takes for the same conversation. Run in a folder where both are installed:
// conversation.mjs FILE TURNS TEXT, prints the milliseconds.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [file, turns, text] = process.argv.slice(2)
const require = createRequire(join(process.cwd(), 'package.json'))
/** @param {string} name */
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
const { MessagesAnnotation, StateGraph, START, END } = await load('@langchain/langgraph')
const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite')

const checkpointer = SqliteSaver.fromConnString(file)
checkpointer.setup()
// Each checkpoint is on disk before the next turn, as with us.
checkpointer.db.pragma('synchronous = FULL')
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', () => ({ messages: [{ role: 'assistant', content: text }] }))
  .addEdge(START, 'model')
  .addEdge('model', END)
  .compile({ checkpointer })
const config = { configurable: { thread_id: 'benchmark' }, durability: 'sync' }

const start = performance.now()
for (let turn = 0; turn < Number(turns); turn++) {
  await graph.invoke({ messages: [{ role: 'user', content: text }] }, config)
}
process.stdout.write(JSON.stringify({ ms: performance.now() - start }))
