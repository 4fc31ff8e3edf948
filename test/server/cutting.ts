// A way to a server that can be cut: before a request reaches it, or after it has answered and before the client knows.
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export class Cutting {
  /** What happens to the next connections, in turn; those after them pass. */
  readonly plan: ('before' | 'after')[] = []
  readonly #open = new Set<Socket>()
  readonly #server = createServer((near) => this.#pass(near))
  #target = new URL('http://127.0.0.1')

  /** Its address, under which the server behind it must let itself be known. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  get url(): string {
    return `http://${this.host}`
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      this.#server.close()
      for (const socket of this.#open) socket.destroy()
    })
    return this
  }

  leadTo(url: string): void {
    this.#target = new URL(url)
  }

  /** A client may use a connection again; each of ours is for one request. */
  #pass(near: Socket): void {
    const cut = this.plan.shift()
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const socket of [near, far]) {
      this.#open.add(socket)
      socket.on('error', () => undefined).on('close', () => this.#open.delete(socket))
    }
    near.on('data', (chunk) => (cut === 'before' ? near.destroy() : far.write(chunk)))
    far.on('data', (chunk) => (cut === 'after' ? near.destroy() : near.end(chunk)))
    near.on('close', () => far.end())
  }
}
