import { statSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Cairn, openCairn } from '../../src/index.ts'
import { newRoot, openStore, storePath } from '../library.ts'
import { interleaved, type Measured, msOfCalls, rateOfCallers } from '../measure.ts'
import { atLeast, atMost, type Context, manyCallers, type Scenario } from '../scenario.ts'

const text = 'All work and no play makes a dull agent; so it goes on. '.repeat(8).slice(0, 400)
const longMessages = 100_000
const diskTurns = 2000

/** A conversation of so many messages, turn by turn. */
async function talk(cairn: Cairn, session: string, messages: number): Promise<void> {
  const callers = Math.min(manyCallers, messages)
  let left = messages
  const loop = async () => {
    while (left > 0) {
      left -= 1
      await cairn.context.append({ session, role: left % 2 === 0 ? 'user' : 'assistant', content: text })
    }
  }
  await Promise.all(Array.from({ length: callers }, loop))
}

async function newTalk(context: Context, messages: number) {
  const { cairn, session } = await newRoot(context)
  await talk(cairn, session, messages)
  return { cairn, session }
}

function appendOne(cairn: Cairn, session: string) {
  return () => cairn.context.append({ session, role: 'user', content: text })
}

async function appending(context: Context): Promise<Measured> {
  const { cairn, session } = await newTalk(context, context.quick ? 5000 : longMessages)
  const { cairn: other, session: short } = await newRoot(context)
  return interleaved(
    context.rounds,
    () => msOfCalls(200, appendOne(cairn, session)),
    () => msOfCalls(200, appendOne(other, short)),
  )
}

async function manyAtOnce(context: Context): Promise<Measured> {
  const { cairn, session } = await newRoot(context)
  const children: string[] = []
  for (let at = 0; at < manyCallers; at++) {
    children.push((await cairn.session.create({ topic: 'agent', parent: session })).session_id)
  }
  return interleaved(
    context.rounds,
    () =>
      rateOfCallers(context.roundMs, manyCallers, (caller) =>
        cairn.context.append({ session: children[caller] as string, role: 'user', content: text }),
      ),
    () =>
      rateOfCallers(context.roundMs, manyCallers, (caller) => cairn.state.increment({ session, key: `k${caller}` })),
  )
}

/** How often the text of a conversation of 2 000 turns, appended one by one, stands in the closed file. */
async function timesTheText(context: Context): Promise<number> {
  const home = context.folder()
  const cairn = await openCairn({ home })
  const { session_id: session } = await cairn.session.create({ topic: 'benchmark' })
  for (let turn = 0; turn < diskTurns; turn++) {
    for (const role of ['user', 'assistant']) await cairn.context.append({ session, role, content: text } as never)
  }
  await cairn.close()
  return statSync(storePath(home)).size / (diskTurns * 2 * text.length)
}

/** Increments beside a long conversation, and beside none. */
async function beside(context: Context): Promise<Measured> {
  const { cairn, session } = await newTalk(context, context.quick ? 1000 : 10_000)
  const { cairn: other, session: silent } = await newRoot(context)
  return interleaved(
    context.rounds,
    () => msOfCalls(200, () => cairn.state.increment({ session, key: 'n' })),
    () => msOfCalls(200, () => other.state.increment({ session: silent, key: 'n' })),
  )
}

/** What reading the rows and parsing them costs, without anything else. */
function bareRead(home: string): () => number {
  const db = new DatabaseSync(storePath(home))
  const rows = db.prepare(`SELECT data FROM events WHERE stream = 'context/0' ORDER BY root, version`)
  return () => {
    const start = performance.now()
    for (const { data } of rows.all() as { data: string }[]) JSON.parse(data)
    return performance.now() - start
  }
}

async function rebuilding(context: Context): Promise<Measured> {
  const home = context.folder()
  const cairn = await openStore(context, { home })
  const { session_id: session } = await cairn.session.create({ topic: 'benchmark' })
  await talk(cairn, session, 10_000)
  return interleaved(context.rounds * 3, () => msOfCalls(1, () => cairn.context.show({ session })), bareRead(home))
}

async function rewound(context: Context): Promise<Measured> {
  const [often, never] = [await newTalk(context, 1000), await newTalk(context, 1000)]
  for (let at = 0; at < 1000; at++) {
    const { session } = often
    const { sequence_number: from_point } = await appendOne(often.cairn, session)()
    await appendOne(often.cairn, session)()
    await often.cairn.context.overwrite({ session, from_point })
  }
  await talk(never.cairn, never.session, 1000)
  return interleaved(
    context.rounds * 3,
    () => msOfCalls(1, () => often.cairn.context.show({ session: often.session })),
    () => msOfCalls(1, () => never.cairn.context.show({ session: never.session })),
  )
}

async function copying(context: Context): Promise<Measured> {
  const messages = context.quick ? 5000 : longMessages
  const [long, short] = [await newTalk(context, messages), await newTalk(context, 100)]
  let round = 0
  const point = (last: number) => 1 + ((round++ * 104_729) % (last - 1))
  return interleaved(
    context.rounds,
    () => msOfCalls(5, () => long.cairn.context.copy({ session: long.session, to_point: point(messages) })),
    () => msOfCalls(5, () => short.cairn.context.copy({ session: short.session, to_point: point(100) })),
  )
}

const shared = { store: 'sqlite', unit: 'ms' } as const

export const conversations: readonly Scenario[] = [
  {
    ...shared,
    name: 'conversation-long',
    about: `an append to a conversation of ${longMessages} messages`,
    against: 'one to a new conversation',
    target: atMost(1.2),
    run: appending,
  },
  {
    ...shared,
    unit: '/s',
    name: 'conversation-many',
    about: `durable appends to ${manyCallers} conversations at once`,
    against: 'durable increments of as many keys',
    target: atLeast(0.6),
    run: manyAtOnce,
  },
  {
    ...shared,
    name: 'conversation-beside',
    about: 'an increment in a root with a conversation of 10 000 messages',
    against: 'one in a root without',
    target: atMost(1.1),
    run: beside,
  },
  {
    ...shared,
    unit: 'bytes',
    name: 'conversation-disk',
    about: `bytes of the file for each byte of text in ${diskTurns} turns of 2 × ${text.length}`,
    against: 'the text',
    target: { of: 'ours', is: 'at most', limit: 3 },
    run: (context) =>
      interleaved(
        1,
        () => timesTheText(context),
        () => 1,
      ),
  },
  {
    ...shared,
    name: 'conversation-rebuild',
    about: 'the messages of a conversation of 10 000',
    against: 'its rows by the raw driver, parsed',
    target: atMost(1.5),
    run: rebuilding,
  },
  {
    ...shared,
    name: 'conversation-rewound',
    about: 'the messages of a conversation that was rewound 1 000 times',
    against: 'those of one as long that never was',
    target: atMost(1.2),
    run: rewound,
  },
  {
    ...shared,
    name: 'conversation-copy',
    about: `a copy at any point of a conversation of ${longMessages} messages`,
    against: 'one of a conversation of 100',
    target: atMost(2),
    run: copying,
  },
]
