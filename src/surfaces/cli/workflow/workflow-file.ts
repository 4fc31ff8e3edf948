import { basename } from 'node:path'
import type { Limits } from '../../../domain/log/limits.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { readWorkflow, type WorkflowRead } from '../../../domain/workflow/file/read.ts'
import type { Config } from '../../../home/config.ts'
import { checkTrusted } from '../../../home/trust.ts'
import { checkJson, type JsonObject } from '../../../json/value.ts'
import { readSource } from '../sources.ts'
import { readYaml, type YamlRead } from './yaml.ts'

/** A workflow that may run here. */
export interface WorkflowGiven {
  /** As it is sent. */
  readonly value: JsonObject
  readonly read: WorkflowRead
  /** What the work is called where it has no objective. */
  readonly topic: string
}

const topicCharsMax = 200

/** Reads a workflow file, `-` for standard input; what is wrong is refused with its line and column before anything starts. */
export async function workflowFrom(source: string, config: Config): Promise<WorkflowGiven> {
  const text = await readSource(source, { limit: 'requestBytes', bytes: config.limits.requestBytes })
  const file = source === '-' ? 'standard input' : source
  const yaml = readYaml(text, file)
  const read = checked(yaml, file, config.limits)
  const untrusted = source === '-' ? undefined : checkTrusted(config.home, source, text)
  if (untrusted !== undefined) throw new CairnRefusal(untrusted)
  const topic = (read.objective ?? basename(file)).replace(/\s+/g, ' ').slice(0, topicCharsMax).toWellFormed().trim()
  // A workflow that was read is an object.
  return { value: yaml.value as JsonObject, read, topic }
}

function checked(yaml: YamlRead, file: string, limits: Limits): WorkflowRead {
  const value = checkJson(yaml.value)
  const read = value instanceof Refusal ? value : readWorkflow(value, limits)
  if (!(read instanceof Refusal)) return read
  throw new CairnRefusal(placed(read, yaml, file))
}

/** With where in the file it is. */
function placed({ code, message, hint, details }: Refusal, yaml: YamlRead, file: string): Refusal {
  const path = typeof details.path === 'string' ? details.path.replace(/^\$\.?/, '') : ''
  const place = yaml.placeOf(path)
  const shown = `${file}:${place.line}:${place.column}: ${message}`
  return refuse(code, shown, hint, { ...details, file, ...place })
}
