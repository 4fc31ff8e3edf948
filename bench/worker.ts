import { fork } from 'node:child_process'
import { bundled } from './process.ts'
import type { Context } from './scenario.ts'

type Answer<Out> = { readonly done: Out } | { readonly failed: string }

/** In the process that works: one task at a time, until the other side is gone. */
export function answerTasks<Task, Out>(perform: (task: Task) => Promise<Out>): void {
  const tell = (answer: Answer<Out>) => process.send?.(answer)
  process.on('message', (task: Task) => {
    perform(task).then(
      (done) => tell({ done }),
      (error: Error) => tell({ failed: error.stack ?? error.message }),
    )
  })
  process.on('disconnect', () => process.exit())
}

/** Starts a program of bench/ that answers tasks; it ends with the scenario. */
export async function startWorker<Task extends object, Out>(
  context: Context,
  name: string,
): Promise<(task: Task) => Promise<Out>> {
  const child = fork(await bundled(context, name))
  context.atEnd(() => child.connected && child.disconnect())
  return (task) =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error(`${name} ended before it answered`))
      child.once('exit', gone)
      child.once('message', (answer: Answer<Out>) => {
        child.off('exit', gone)
        if ('done' in answer) resolve(answer.done)
        else reject(new Error(`${name}: ${answer.failed}`))
      })
      child.send(task)
    })
}
