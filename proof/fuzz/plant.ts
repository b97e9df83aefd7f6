import { findPlaces, replaceModules } from '../torture/replace-modules.ts'
import { breaks } from './breaks.ts'

/** Loaded before the server by `--import`: puts the modules of PLANTED_FAULT in the place of the store's own. */
const planted = breaks[process.env.PLANTED_FAULT ?? '']?.modules ?? {}

replaceModules(findPlaces(planted, new URL('../../', import.meta.url), new URL(import.meta.url)))
