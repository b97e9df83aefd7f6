import type { Tx } from '../../platform/database.ts'
import { insertRegion, type RegionDraft } from './regions.store.ts'

/** Adds a region; answers its id. */
export const addRegion = (tx: Tx, region: RegionDraft): Promise<number> => insertRegion(tx, region)
