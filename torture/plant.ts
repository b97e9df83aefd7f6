import { registerHooks } from 'node:module'
import { breaks } from './breaks.ts'

/** Loaded before the server by `--import`: puts the modules of PLANTED_FAULT in the place of the server's own. */
const planted = breaks[process.env.PLANTED_FAULT ?? '']?.modules ?? {}

const variants = new Map(
  Object.entries(planted).map(([path, variant]) => [
    new URL(`../server/src/${path}`, import.meta.url).href,
    new URL(variant, import.meta.url).href,
  ]),
)

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const variant = variants.get(resolved.url)
    // The variant itself stands on the real one.
    if (variant === undefined || context.parentURL === variant) return resolved
    return { ...resolved, url: variant }
  },
})
