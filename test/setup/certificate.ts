// A certificate made on the spot, signed by itself: no test depends on a program that makes one, or on a key in a file.
import { generateKeyPairSync, sign } from 'node:crypto'

type Bytes = Uint8Array

function tagged(tag: number, ...contents: Bytes[]): Buffer {
  const body = Buffer.concat(contents)
  const long = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...long]), body])
}

const sequence = (...contents: Bytes[]) => tagged(0x30, ...contents)
const set = (...contents: Bytes[]) => tagged(0x31, ...contents)
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const text = (value: string) => tagged(0x0c, Buffer.from(value))
const time = (value: string) => tagged(0x17, Buffer.from(value))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = oid('550403')
const subjectAltName = oid('551d11')

/** Key and certificate in PEM form, made out for DNS names. */
export function certificateFor(names: readonly string[]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(commonName, text('a test'))))
  const alternatives = sequence(...names.map((each) => tagged(0x82, Buffer.from(each))))
  const extensions = tagged(0xa3, sequence(sequence(subjectAltName, tagged(0x04, alternatives))))
  const version = tagged(0xa0, tagged(0x02, Buffer.from([2])))
  const validity = sequence(time('200101000000Z'), time('491231235959Z'))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(version, tagged(0x02, Buffer.from([1])), ecdsaWithSha256, name, validity, name, key, extensions)
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const der = sequence(body, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
