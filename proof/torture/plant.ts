import { breaks } from './breaks.ts'
import { findPlaces, replaceModules } from './replace-modules.ts'

/** Loaded before the server by `--import`: puts the modules of PLANTED_FAULT in the place of the server's own. */
const planted = breaks[process.env.PLANTED_FAULT ?? '']?.modules ?? {}

replaceModules(findPlaces(planted, new URL('../../server/src/', import.meta.url), new URL(import.meta.url)))
