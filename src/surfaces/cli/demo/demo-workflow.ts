/** How often each of the racers counts. */
export const countsEach = 5
export const racers = ['ann', 'ben', 'cem'] as const

/** Small local programs that share state, race, wait, crash and report: nothing that costs money. */
export function demoWorkflow(cairn: readonly string[]): object {
  const shell = (script: string) => ['sh', '-c', `note() { echo "$1" >> ran; }\n${script}`, ...cairn]
  // Within a script `"$0" "$@"` is this very program.
  // A racer that lost the server is run again from its first step: what it counted before has the same request ids, and counts once.
  const step = '"$0" "$@" state increment hits --request-id "$AGENT_SESSION_NAME-$i" || exit 1'
  const count = `note racer\nfor i in $(seq ${countsEach}); do ${step}; done`
  return {
    objective: 'See a workflow run: shared state, a race, a pause, a crash and a recovery',
    defaults: { backoff: { first: '300ms' }, timeout: '2m' },
    phases: [
      {
        name: 'Plan',
        agents: [
          {
            id: 'plan',
            role: 'planner',
            run: shell(
              `note plan\n"$0" "$@" state set ready true\necho "Count to ${racers.length * countsEach}" > $CAIRN_OUTPUT`,
            ),
          },
        ],
      },
      {
        name: 'Work',
        when: 'state.ready == true',
        agents: [
          ...racers.map((id) => ({ id, role: 'racer', run: shell(count) })),
          {
            id: 'long',
            role: 'worker',
            run: shell('note long\nfor i in 1 2 3 4 5 6 7 8; do echo "step $i of 8"; sleep 1; done'),
          },
          {
            id: 'crash',
            role: 'worker',
            run: shell('note crash\nif [ ! -e crashed ]; then touch crashed; kill -9 $$; fi'),
          },
        ],
      },
      {
        name: 'Report',
        agents: [{ id: 'report', role: 'reporter', run: shell('note report\n"$0" "$@" state get hits') }],
      },
    ],
  }
}
