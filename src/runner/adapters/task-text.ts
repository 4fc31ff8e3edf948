/** What another agent has left, as it is told. */
export interface ResultTold {
  readonly id: string
  readonly status: string
  readonly text: string
  /** Bytes that stand elsewhere. */
  readonly cut?: number
}

/** What an agent is told when a run of it begins. */
export interface TaskTold {
  readonly objective: string | undefined
  readonly task: string
  readonly inputs: readonly ResultTold[]
  readonly children: readonly ResultTold[]
  /** Why it goes on, and what it was answered. */
  readonly woken: { readonly by: string; readonly text?: string } | undefined
  /** Whether it knows all the rest from before. */
  readonly goesOn: boolean
  readonly brief: string | undefined
}

/** The file of the task: Markdown, for people and models alike. */
export function taskText({ objective, task, inputs, children, woken, goesOn, brief }: TaskTold): string {
  const parts: string[] = []
  if (woken?.text !== undefined) parts.push(`## Answer\n\n${woken.text}`)
  if (children.length > 0) parts.push(`## Child Results\n\n${children.map(resultText).join('\n\n')}`)
  // It goes on where it was: what it knows is not said again.
  if (goesOn) return parts.map((part) => `${part}\n`).join('\n')
  const first = [`# Task\n\n${task}`, ...(objective === undefined ? [] : [`## Objective\n\n${objective}`])]
  const results = inputs.length === 0 ? [] : [`## Results\n\n${inputs.map(resultText).join('\n\n')}`]
  const rest = [...results, ...parts, ...(brief === undefined ? [] : [`## Brief\n\n${brief}`])]
  return [...first, ...rest].map((part) => `${part.trimEnd()}\n`).join('\n')
}

function resultText({ id, status, text, cut = 0 }: ResultTold): string {
  const rest = cut === 0 ? '' : `\n\n[… ${cut} bytes more]`
  return `### ${id} (${status})\n\n${text.trimEnd() === '' ? '(no result)' : text.trimEnd()}${rest}`
}
