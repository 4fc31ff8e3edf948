import { rootProjects } from '../../domain/access/tables.ts'
import { askRow } from '../../domain/log/questions.ts'
import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import type { Host } from '../../operations/host-port.ts'
import type { Read } from '../../operations/operation.ts'
import type { Engine } from '../../store/engine.ts'
import { throwRefusal } from '../thrown.ts'

/** What was read, with what only the machine knows that answers. */
export function withHost<Input>(
  { onHost }: Read<Input, Answer>,
  answer: Answer | Refusal,
  host: Host | undefined,
): Answer | Refusal {
  return host === undefined || onHost === undefined || answer instanceof Refusal ? answer : onHost(answer, host)
}

/** Work trees that are asked for are of a repository, as far as this machine knows of it. */
export async function checkTrees(
  engine: Engine,
  host: Host | undefined,
  wanted: { readonly project: string | undefined },
  root: number,
): Promise<void> {
  if (host === undefined) return
  const known = wanted.project === undefined ? engine.read(askRow(rootProjects, root), false) : undefined
  const project = wanted.project ?? (await known?.catch(throwRefusal))?.dir
  const fault = project === undefined ? undefined : await host.faultOfTrees(project)
  if (fault !== undefined) throw new CairnRefusal(fault)
}
