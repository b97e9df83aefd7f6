import { breaks } from './breaks.ts'
import { placesOf, replaceModules } from './replace-modules.ts'

/** Loaded before the server by `--import`: puts the modules of PLANTED_FAULT in the place of the server's own. */
const planted = breaks[process.env.PLANTED_FAULT ?? '']?.modules ?? {}

replaceModules(placesOf(planted, new URL('../server/src/', import.meta.url), new URL(import.meta.url)))
