import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether a program can be started by its name. */
export function isInstalled(program: string): boolean {
  return pathOf(program) !== undefined
}

/** Whether a name starts this very file, so that it can stand for it. */
export function isStartedBy(program: string, file: URL): boolean {
  const found = pathOf(program)
  return found !== undefined && realpathSync(found) === realpathSync(fileURLToPath(file))
}

/** The file that a name starts. */
function pathOf(program: string): string | undefined {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
