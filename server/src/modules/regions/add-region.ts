import type { Tx } from '../../platform/database.ts'
import { insertRegion, type NewRegion } from './regions.store.ts'

/** Adds a region; answers its id. */
export const addRegion = (tx: Tx, region: NewRegion): Promise<number> => insertRegion(tx, region)
