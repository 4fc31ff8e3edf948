export async function runTour(_rest: readonly string[], _json: boolean, _program: URL): Promise<number> {
  return 0
}
