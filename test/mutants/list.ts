// All faults that are planted, layer by layer; `npm run test:mutants` plants them.
import { ofBlobs } from './blobs.ts'
import { ofClient } from './client.ts'
import { ofDashboard } from './dashboard.ts'
import { ofDomain } from './domain.ts'
import { ofForks } from './forks.ts'
import { ofJournal } from './journal.ts'
import { ofLog } from './log.ts'
import type { Mutant } from './mutant.ts'
import { ofOrchestrator } from './orchestrator.ts'
import { ofPlan } from './plan.ts'
import { ofRunner } from './runner.ts'
import { ofSetup } from './setup-command.ts'
import { ofStore } from './store.ts'
import { ofSurfaces } from './surfaces.ts'
import { ofUpkeep } from './upkeep.ts'

export const mutants: readonly Mutant[] = [
  ...ofDomain,
  ...ofStore,
  ...ofLog,
  ...ofForks,
  ...ofUpkeep,
  ...ofBlobs,
  ...ofClient,
  ...ofSurfaces,
  ...ofDashboard,
  ...ofPlan,
  ...ofJournal,
  ...ofRunner,
  ...ofOrchestrator,
  ...ofSetup,
]
