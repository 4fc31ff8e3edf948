import { Connection, type ConnectOptions } from './connection.ts'
import { forCaller } from './for-caller.ts'
import { table } from './generated/table.ts'
import { type Cairn, type Called, type Followed, interfaceOf } from './interface.ts'

/**
 * Everything a server can be asked, as `openCairn` has it for a store of one's own. Runs wherever there is `fetch`. Nothing is
 * sent before the first call.
 */
export function connect(options: ConnectOptions): Cairn {
  const connection = new Connection(options)
  const methods = interfaceOf<Called, Followed>(table, {
    execute: (operation, input, signal) => connection.execute(operation, input as object, signal),
    stream: (operation, input, signal) => connection.stream(operation, input as object, signal),
  })
  return {
    ...methods,
    blob: {
      ...methods.blob,
      put: forCaller((input) => connection.putBlob(input)),
      get: forCaller((input) => connection.getBlob(input)),
    },
    follow: (wanted = {}) => connection.follow(wanted),
    followAll: (wanted = {}) => connection.followAll(wanted),
    close: () => connection.close(),
  }
}
