// All faults that are planted, layer by layer; `npm run test:mutants` plants them.
import { ofClient } from './client.ts'
import { ofDomain } from './domain.ts'
import { ofLog } from './log.ts'
import type { Mutant } from './mutant.ts'
import { ofStore } from './store.ts'
import { ofSurfaces } from './surfaces.ts'

export const mutants: readonly Mutant[] = [...ofDomain, ...ofStore, ...ofLog, ...ofClient, ...ofSurfaces]
