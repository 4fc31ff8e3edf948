/** `{{outputs.ID}}` in a task stands for the result of an agent. */
const output = /\{\{\s*outputs\.([^\s{}]+)\s*\}\}/g

/** The agents whose results a task names, each once. */
export function outputsNamed(task: string): string[] {
  return [...new Set([...task.matchAll(output)].map(([, id]) => id as string))]
}

/** A task with the results in it. What a result says is not read again: it may hold anything. */
export function withOutputs(task: string, resultOf: (id: string) => string): string {
  return task.replace(output, (_, id: string) => resultOf(id))
}
