import { ended, type Stage } from './stage.ts'

const pages = 100
const pagesBeforeKill = 40

/** A worker is killed in the middle and run again with the same request ids: every write counts once. */
export async function showKill(stage: Stage): Promise<void> {
  stage.title(`3  A worker writes ${pages} times and is killed in the middle`)
  stage.command('cairn state increment pages --request-id page-1   (page-2 … page-100)')
  const answered = await killedInTheMiddle(stage)
  const { value } = await stage.ask('state', 'get', 'pages')
  stage.say(`    SIGKILL after ${answered} answers`)
  stage.check('answered writes that are missing', 0, Math.max(0, answered - Number(value)))
  stage.say(`  Then it runs again from the start, with the same request ids:`)
  await ended(stage.worker({ kind: 'pages', session: 'profile', pages }))
  const again = await stage.ask('state', 'get', 'pages')
  stage.check('pages, each counted once', pages, Number(again.value))
}

/** How many writes were answered before the process was gone. */
async function killedInTheMiddle(stage: Stage): Promise<number> {
  const worker = stage.worker({ kind: 'pages', session: 'profile', pages })
  let lines = 0
  worker.stdout?.on('data', (text: Buffer) => {
    lines += text.toString().split('\n').length - 1
    if (lines >= pagesBeforeKill) worker.kill('SIGKILL')
  })
  const { out } = await ended(worker)
  return out.split('\n').length - 1
}
