// Workers share jobs by claiming them. One is killed in the middle of its job: when its claim runs out, another takes the job over.
import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CairnRefusal, connect } from 'agent-cairn/client'
import { server } from './server.mjs'

const [, , name, session] = process.argv
if (name === undefined) await runPool(['parse', 'index', 'test', 'lint', 'pack', 'ship'])
else await work(connect({ ...server, session }))

async function runPool(jobs) {
  const cairn = connect(server)
  const { session_id: root } = await cairn.session.create({ topic: 'a pool of workers', initial_state: { jobs } })
  const workers = ['ada', 'bob', 'eve'].map((worker) => fork(fileURLToPath(import.meta.url), [worker, root]))
  const [ada] = workers
  const lost = await new Promise((resolve) => ada.once('message', resolve))
  ada.kill('SIGKILL')
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))))
  const { state } = await cairn.state.all({ session: root })
  console.log(`${jobs.filter((job) => `done/${job}` in state).length} of ${jobs.length} jobs are done.`)
  console.log(`ada was killed; her job was done by ${state[`done/${lost}`] === 'ada' ? 'herself' : 'another'}.`)
  await cairn.session.end({ session: root })
}

/** Takes one job after the other until all are done. */
async function work(cairn) {
  for (;;) {
    const { state } = await cairn.state.all({})
    const open = state.jobs.filter((job) => !(`done/${job}` in state))
    if (open.length === 0) return
    for (const job of open) await tryJob(cairn, job)
    // What is left is claimed by others: they finish it, or their claims run out.
    await sleep(50)
  }
}

async function tryJob(cairn, job) {
  const key = `done/${job}`
  const claim = await unless('held_by_other', cairn.state.claim({ key, ttl: '1s', holder: name }))
  if (claim === undefined) return
  const done = await unless('key_not_found', cairn.state.get({ key }))
  if (done === undefined) {
    process.send(job)
    await sleep(100)
    // With the fence nobody can write whose claim ran out meanwhile.
    await unless('fenced', cairn.state.set({ key, value: name, fence: `key/${key}:${claim.token}` }))
  }
  await unless('fenced', cairn.state.release({ key, token: claim.token }))
}

/** The answer, or undefined where it was refused for this reason. */
async function unless(code, answering) {
  try {
    return await answering
  } catch (error) {
    if (error instanceof CairnRefusal && error.code === code) return undefined
    throw error
  }
}
