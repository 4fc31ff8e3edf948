import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { isLoopback } from '../../../home/loopback.ts'

export const usualHost = '127.0.0.1'
export const usualPort = 4747

/** How far a server can be reached, as it was asked for. */
export interface ExposureOptions {
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** It is meant that other machines reach it. */
  readonly allowRemote?: boolean | undefined
  /** Files of a certificate and its key. */
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  /** The name under which a reverse proxy is known that passes requests on. */
  readonly proxy?: string | undefined
}

export interface Exposure {
  readonly host: string
  readonly port: number
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Browsers reach it over TLS, be it that of a proxy. */
  readonly secure: boolean
  /** The only pages that may use it, where that is not those of the server under any of its names. */
  readonly origins: readonly string[] | undefined
  /** Names besides those of this machine, as a Host header has them once the port is known. */
  names(port: number): string[]
}

/** Nothing goes beyond this machine unless it is meant, and then not in clear text. */
export function exposureOf(options: ExposureOptions): Exposure | Refusal {
  const { host = usualHost, port = usualPort, proxy } = options
  const tls = readTls(options)
  if (tls instanceof Refusal) return tls
  const refusal = isLoopback(host) ? undefined : checkRemote(options, tls !== undefined)
  if (refusal) return refusal
  const certified = tls === undefined ? [] : namesIn(tls.cert)
  if (certified instanceof Refusal) return certified
  return {
    host,
    port,
    tls,
    secure: tls !== undefined || proxy !== undefined,
    origins: proxy === undefined ? undefined : [`https://${proxy.toLowerCase()}`],
    names: (taken) => [
      ...certified.flatMap((name) => [name, `${name}:${taken}`]),
      ...(proxy ? [proxy.toLowerCase()] : []),
    ],
  }
}

function checkRemote({ host, allowRemote, proxy }: ExposureOptions, hasTls: boolean): Refusal | undefined {
  if (!allowRemote) {
    const hint = `Leave --host out, or use --allow-remote with --tls-cert and --tls-key, or with --proxy NAME.`
    return refuse('forbidden', `With --host ${host} other machines could reach this server.`, hint)
  }
  if (hasTls || proxy) return undefined
  const hint = 'Give --tls-cert and --tls-key, or --proxy NAME for a reverse proxy that has them.'
  return refuse('forbidden', 'Tokens would go over the network in clear text.', hint)
}

function readTls({ tlsCert, tlsKey }: ExposureOptions): Exposure['tls'] | Refusal {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    return refuse('usage', 'A certificate and its key must be given together.', 'Give both --tls-cert and --tls-key.')
  }
  try {
    return { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }
  } catch (error) {
    const { path, code } = error as NodeJS.ErrnoException
    return refuse('invalid_input', `${path ?? 'The certificate'} cannot be read (${code}).`, 'Check the path.')
  }
}

/** The names that the certificate was made out for are those under which the server may be meant. */
function namesIn(cert: Buffer): string[] | Refusal {
  try {
    const names = new X509Certificate(cert).subjectAltName ?? ''
    return [...names.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) => name.toLowerCase())
  } catch {
    return refuse('invalid_input', 'The file of --tls-cert contains no certificate.', 'Give it in PEM form.')
  }
}
