import { CairnRefusal, type Refusal } from '../../domain/log/refusal.ts'

/** Asked before each change of a caller. Upkeep is not held up: it may be what makes room again. */
export class WriteGuard {
  /** Why nobody may write now, if so; whoever watches the store says it. */
  refusal: () => Refusal | undefined = () => undefined

  check(): void {
    const refusal = this.refusal()
    if (refusal) throw new CairnRefusal(refusal)
  }
}
