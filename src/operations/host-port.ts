import type { Refusal } from '../domain/log/refusal.ts'

/** What whoever answers knows of the machine it runs on. */
export interface Host {
  /** Where a folder of the data folder is, if it is there. */
  folder(name: string): string | undefined
  /** Why no work trees can be made of a project. Undefined where they can, and where the project is on another machine. */
  faultOfTrees(project: string): Promise<Refusal | undefined>
}
