import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newRoot } from '../library.ts'
import { interleaved, type Measured } from '../measure.ts'
import { run } from '../process.ts'
import { atLeast, type Context, type Scenario } from '../scenario.ts'

const turns = 2000
const text = 'All work and no play makes a dull agent; so it goes on. '.repeat(8).slice(0, 400)

/** It is none of our packages: whoever wants to compare installs it there. */
const folder = 'node_modules/.cache/langgraph'
const packages = '@langchain/langgraph@1.4.0 @langchain/langgraph-checkpoint-sqlite@1.0.4'

async function ours(context: Context, count: number): Promise<number> {
  const { cairn, session } = await newRoot(context)
  const start = performance.now()
  for (let turn = 0; turn < count; turn++) {
    await cairn.context.append({ session, role: 'user', content: text })
    await cairn.context.append({ session, role: 'assistant', content: text })
  }
  return turnsPerSecond(count, performance.now() - start)
}

/** In a process of its own: it keeps each state whole, and so takes gigabytes. */
function theirs(context: Context, count: number): number {
  const file = join(context.folder(), 'checkpoints.db')
  const program = resolve('bench/langgraph/conversation.mjs')
  const { ms } = JSON.parse(run([program, file, String(count), text], {}, folder)) as { ms: number }
  return turnsPerSecond(count, ms)
}

function turnsPerSecond(count: number, ms: number): number {
  return (count * 1000) / ms
}

export const langgraph: Scenario = {
  name: 'conversation-langgraph',
  about: `a conversation of ${turns} turns of 2 × ${text.length} bytes, recorded durably one by one`,
  against: 'LangGraph.js with its SQLite checkpointer',
  store: 'sqlite',
  unit: '/s',
  target: atLeast(50),
  skip: () =>
    existsSync(join(folder, 'node_modules/@langchain/langgraph'))
      ? undefined
      : `not installed: npm install --prefix ${folder} ${packages}`,
  async run(context): Promise<Measured> {
    const count = context.quick ? turns / 10 : turns
    // Of theirs, one run of this length takes minutes.
    return interleaved(
      1,
      () => ours(context, count),
      once(() => theirs(context, count)),
    )
  },
}

/** The round that is not counted is not run for nothing. */
function once(round: () => number): () => number {
  let known: number | undefined
  return () => {
    known ??= round()
    return known
  }
}
