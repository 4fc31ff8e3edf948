import type { Deciding } from '../../domain/log/deciding.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { rowsThen } from '../../domain/log/row-past.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { prose } from '../../domain/log/text/entries.ts'
import { checkCount } from '../../domain/log/text/room.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { planPart } from '../../domain/plan/part.ts'
import { type BuildCheckpointRow, buildCheckpoints, planTotals } from '../../domain/plan/tables.ts'
import { totalsOf } from '../../domain/plan/totals.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { workflowStream } from '../../domain/workflow/facts.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'
import { checkpointNo } from './named.ts'

function showCheckpoint({ checkpoint, text, started_at, completed_at }: BuildCheckpointRow) {
  return {
    checkpoint,
    text,
    status: completed_at !== null ? 'completed' : started_at !== null ? 'started' : 'open',
    started_at: started_at === null ? null : isoTime(started_at),
    completed_at: completed_at === null ? null : isoTime(completed_at),
  }
}

/** A build checkpoint, once it is known. */
export function knownCheckpoint(on: Deciding, checkpoint: number): BuildCheckpointRow | Refusal {
  on.rows.mustKnow([rowOf(buildCheckpoints, checkpoint)])
  const row = on.rows.get(buildCheckpoints, checkpoint)
  if (row !== undefined) return row
  const message = `This root has no build checkpoint ${checkpoint}.`
  return refuse('not_found', message, 'List them with `checkpoint.list`.', { checkpoint })
}

export const checkpointAdd = change({
  name: 'checkpoint.add',
  summary: 'Add a build checkpoint: a unit of work that the plan counts by.',
  command: {
    words: ['checkpoint add'],
    positional: ['text'],
    examples: ["cairn checkpoint add 'The parser passes all tests.'"],
  },
  input: { text: prose('What is then complete.') },
  needs: () => [rowOf(streams, planStream), rowOf(planTotals)],
  decide({ text }, on) {
    const { checkpoints: count } = totalsOf(on.rows)
    const refusal = mayWrite(on) ?? checkCount(on.limits, 'buildCheckpoints', count, 'build checkpoints')
    if (refusal) return refusal
    const checkpoint = count + 1
    on.record({ type: 'checkpoint_added', stream: planStream, data: { checkpoint, text } })
    return showCheckpoint(on.rows.get(buildCheckpoints, checkpoint) as BuildCheckpointRow)
  },
})

export const checkpointStart = change({
  name: 'checkpoint.start',
  summary: 'Say that work on a build checkpoint has begun; twice does nothing.',
  command: { words: ['checkpoint start'], positional: ['checkpoint'] },
  input: { checkpoint: checkpointNo },
  needs: ({ checkpoint }) => [rowOf(streams, planStream), rowOf(buildCheckpoints, checkpoint)],
  decide({ checkpoint }, on) {
    const row = mayWrite(on) ?? knownCheckpoint(on, checkpoint)
    if (row instanceof Refusal) return row
    const changed = row.started_at === null && row.completed_at === null
    if (changed) on.record({ type: 'checkpoint_started', stream: planStream, data: { checkpoint } })
    return { ...showCheckpoint(on.rows.get(buildCheckpoints, checkpoint) as BuildCheckpointRow), changed }
  },
})

/** The moment at which it was complete can be gone back to. */
function takeCheckpoint(on: Deciding): void {
  on.rows.mustKnow([rowOf(streams, stateStream), rowOf(streams, workflowStream)])
  const { seq: upto = 0, hash = '' } = on.rows.head() ?? {}
  const state = on.rows.get(streams, stateStream)?.version ?? 0
  on.record({ type: 'checkpoint_taken', stream: workflowStream, data: { why: 'build', state, upto, hash } })
}

export const checkpointComplete = change({
  name: 'checkpoint.complete',
  summary: 'Say that a build checkpoint is complete, in any order; twice does nothing.',
  command: { words: ['checkpoint complete'], positional: ['checkpoint'], topic: 'Plan' },
  input: { checkpoint: checkpointNo },
  needs: ({ checkpoint }) => [rowOf(streams, planStream), rowOf(buildCheckpoints, checkpoint)],
  decide({ checkpoint }, on) {
    const row = mayWrite(on) ?? knownCheckpoint(on, checkpoint)
    if (row instanceof Refusal) return row
    const changed = row.completed_at === null
    if (changed) {
      on.record({ type: 'checkpoint_completed', stream: planStream, data: { checkpoint } })
      takeCheckpoint(on)
    }
    return { ...showCheckpoint(on.rows.get(buildCheckpoints, checkpoint) as BuildCheckpointRow), changed }
  },
})

export interface CheckpointsSeen {
  readonly checkpoints: ReturnType<typeof showCheckpoint>[]
  /** The lowest that is not complete. */
  readonly current_checkpoint: number | null
}

export function* checkpointsSeen(root: number, at: number | undefined): Asking<CheckpointsSeen> {
  const rows = [...(yield* rowsThen(buildCheckpoints, root, at))].sort((a, b) => a.checkpoint - b.checkpoint)
  const current = rows.find(({ completed_at }) => completed_at === null)
  return { checkpoints: rows.map(showCheckpoint), current_checkpoint: current?.checkpoint ?? null }
}

export const checkpointList = read({
  name: 'checkpoint.list',
  summary: 'List the build checkpoints; the current one is the lowest that is not complete.',
  command: { words: ['checkpoint ls'] },
  input: past,
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, planPart)
    if (at instanceof Refusal) return at
    return { ...(yield* checkpointsSeen(root, at)) }
  },
})
