// A workflow that somebody supervises by hand, with a journal: one agent is done, one runs, one failed, one waits for a person.
import type { connect } from '../../src/client/connect.ts'
import { type Supervised, supervise } from '../workflow/supervised.ts'

type Cairn = ReturnType<typeof connect>

const workflow = {
  objective: 'Ship the release by Friday',
  strategy: 'adaptive',
  max_parallel: 3,
  agents: [
    { id: 'profile', role: 'researcher', run: ['true'], task: 'Find the hot paths' },
    { id: 'docs', role: 'writer', run: ['true'], task: 'Write the notes of the release' },
    { id: 'fix', role: 'worker', run: ['true'], task: 'Speed up the tokenizer', depends_on: ['profile'] },
    { id: 'check', role: 'reviewer', run: ['true'], task: 'Review and measure', depends_on: ['fix', 'docs'] },
  ],
}

export interface DemoFlow extends Supervised {
  /** Sessions of its agents, by what the workflow calls them. */
  readonly agents: Readonly<Record<'profile' | 'docs' | 'fix' | 'check', string>>
}

export async function demoFlow(cairn: Cairn): Promise<DemoFlow> {
  const flow = await supervise(cairn, workflow, { topic: 'Release 2.0' })
  const { root: session } = flow
  const { children } = await cairn.session.tree({ session })
  const [profile = '', docs = '', fix = '', check = ''] = children.map(({ session_id }) => session_id)
  await cairn.session.start({ session })
  await flow.step(flow.starting(1), flow.starting(2))
  await flow.step(flow.exiting(1), flow.exiting(2, { how: 'failed', exit_code: 2 }), {
    move: 'fail',
    agent: 2,
    reason: 'exit code 2',
  } as never)
  await flow.step(flow.starting(3))
  await keepJournal(cairn, session)
  await cairn.session.ask({
    session: fix,
    text: 'May I change the public API of the tokenizer?',
    actions: ['yes', 'no'],
  })
  return { ...flow, agents: { profile, docs, fix, check } }
}

async function keepJournal(cairn: Cairn, session: string): Promise<void> {
  await cairn.journal.position({ session, task: 'Speed up the tokenizer', status: 'measuring' })
  await cairn.journal.next({ session, text: 'Compare with the numbers of last week' })
  await cairn.decision.add({
    session,
    decision: 'Scan by index instead of split()',
    context: 'The tokenizer copies every line',
    reason: 'No copies, and half the time in a first try',
    kind: 'technology',
    alternatives: [{ text: 'A parser generator', why_not: 'Too slow to build' }],
  })
  await cairn.decision.add({
    session,
    decision: 'Keep the public API',
    context: 'Others build on it',
    reason: 'A new major version is not planned',
    kind: 'constraint',
  })
  const { id: first } = await cairn.task.add({ session, text: 'Profile the parser' })
  const { id: second } = await cairn.task.add({ session, text: 'Rewrite the hot loop', after: [first] })
  await cairn.task.add({ session, text: 'Measure it', after: [second], wave: 2 })
  await cairn.task.claim({ session, task: first })
  await cairn.task.done({ session, task: first })
  await cairn.blocker.add({ session, description: 'The large sample is not on this machine', affects: ['Measure it'] })
  await cairn.journal.note({ session, text: 'The build server is slow today' })
  await cairn.journal.update({ session, questions: ['Does anybody use the streaming mode?'] } as never)
}
