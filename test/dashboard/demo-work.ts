// Work as agents would have left it: three of them below one root, with state, conversations and runs.
import type { connect } from '../../src/client/connect.ts'

type Cairn = ReturnType<typeof connect>

export interface Demo {
  readonly cairn: Cairn
  readonly root: string
  readonly agents: Readonly<Record<'profile' | 'read' | 'fix', string>>
}

export async function demoWork(cairn: Cairn): Promise<Demo> {
  const { session_id: root } = await cairn.session.create({
    topic: 'Make the parser faster',
    objective: 'Parse 1 GB of logs in under 8 seconds',
  })
  await cairn.state.init({
    session: root,
    initial_state: { done: 0, findings: [], config: { retries: 3, slow: false } },
  })
  const agents = { profile: '', read: '', fix: '' }
  for (const name of ['profile', 'read', 'fix'] as const) {
    const made = await cairn.session.create({ topic: `Agent ${name}`, name, parent: root })
    agents[name] = made.session_id
  }
  await converse(cairn, agents.profile)
  await cairn.state.append({ session: agents.profile, key: 'findings', items: ['tokenizer copies every line'] })
  await cairn.state.increment({ session: agents.profile, key: 'done' })
  await cairn.state.merge({ session: agents.read, key: 'config', patch: { slow: true, notes: { by: 'read' } } })
  await cairn.state.set({
    session: agents.fix,
    key: 'plan/next',
    value: 'replace split() by an index scan',
    ephemeral: true,
  })
  await cairn.state.set({ session: root, key: 'build/version', value: '1.4.0-rc.2' })
  await cairn.schema.set({ session: root, target: 'done', schema: { type: 'integer', minimum: 0 } })
  const { run } = await cairn.run.start({ session: agents.read, adapter: 'claude', model: 'a-model' })
  await cairn.run.report({
    session: agents.read,
    run,
    input_tokens: 8200,
    output_tokens: 412,
    context_usage: 0.31,
    usd: 0.12,
  })
  await cairn.session.end({ session: agents.profile })
  return { cairn, root, agents }
}

async function converse(cairn: Cairn, session: string): Promise<void> {
  const { run } = await cairn.run.start({ session, adapter: 'claude', model: 'a-model' })
  const call = 'toolu_01'
  await cairn.context.append({ session, message: { role: 'user', content: 'Where does the time go?' } })
  await cairn.context.append({
    session,
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'A profile first, then the hot loop.', signature: 's' },
        { type: 'text', text: 'I will profile it on the large file.' },
        { type: 'tool_use', id: call, name: 'state_append', input: { key: 'findings', items: ['line 88'] } },
      ],
    },
  })
  await cairn.state.append({ session, key: 'findings', items: ['line 88: split() in a loop'], call })
  await cairn.context.append({
    session,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: '{"length": 1}' }] },
  })
  await cairn.context.append({ session, message: { role: 'assistant', content: 'Most of it is in the tokenizer.' } })
  await cairn.run.report({ session, run, input_tokens: 5200, output_tokens: 840, context_usage: 0.18, usd: 0.08 })
  await cairn.run.end({ session, run })
}
