// A server in this process, a way to it that can be cut, and a root to work in.
import { onTestFinished } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import type { Sandbox } from '../cli/sandbox.ts'
import { serveHere } from '../setup/serve-here.ts'
import { Cutting } from './cutting.ts'

export async function startedIn({ home }: Sandbox) {
  const cutting = await new Cutting().listen()
  const serving = await serveHere({ home, port: 0 })
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= serving.stop()
    return stopping
  }
  onTestFinished(stop)
  const { url } = serving.discovered
  cutting.leadTo(url)
  const token = new InstallTokenFile(home).text()
  const direct = connect({ url, token })
  const { session_id: session } = await direct.session.create({ topic: 'a client' })
  return { url, stop, cutting, token, direct, session }
}
