import { fileURLToPath } from 'node:url'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { serverFor } from '../../../home/discovery.ts'
import type { Program } from '../registry/own-command.ts'
import type { RunRequest } from './run-request.ts'

/** The server that runs agents: one that is there, or one of this process that ends with it. */
export interface ServerOfRun {
  /** Agents go on when this command ends. */
  readonly staysWithout: boolean
  stop(): Promise<void>
}

/** Where no server runs, this process is one, on any free port, for as long as the command lasts; or `cairn up` starts one. */
export async function serverOfRun(
  request: Pick<RunRequest, 'home' | 'store' | 'detach'>,
  program: Program,
): Promise<ServerOfRun> {
  const { home, store, token } = destinationHere(request)
  if (token !== undefined) {
    const hint = 'Run it as the owner, without CAIRN_TOKEN; an agent extends the workflow it belongs to.'
    throw new CairnRefusal(refuse('forbidden', 'Only the owner can run workflows.', hint))
  }
  const config = loadConfig({ home, store })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const { runningServer, startInBackground } = await import('../server/background.ts')
  await runningServer(config.home)
  if (serverFor({ home, store }) !== undefined) return { staysWithout: true, stop: async () => undefined }
  if (request.detach) {
    await startInBackground(config, program.file)
    return { staysWithout: true, stop: async () => undefined }
  }
  const { serve } = await import('../../../serve.ts')
  const serving = await serve({
    home,
    store,
    port: 0,
    version: program.version,
    program: [process.execPath, fileURLToPath(program.file)],
  })
  return { staysWithout: false, stop: () => serving.stop() }
}
