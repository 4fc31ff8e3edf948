// Where the server of the examples is, and the token to call it with: that of `npm start`, unless the environment says otherwise.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const { CAIRN_URL, CAIRN_TOKEN, CAIRN_HOME } = process.env

export const server = {
  url: CAIRN_URL ?? 'http://127.0.0.1:4747',
  token: CAIRN_TOKEN ?? readFileSync(join(CAIRN_HOME ?? join(homedir(), '.cairn'), 'token'), 'utf8').trim(),
}
