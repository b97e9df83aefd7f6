import { registerHooks } from 'node:module'

/*
 * Loaded before every process of a run. The process ends with the run, also when that is killed, and the modules that
 * `plantModules` names take the place of the server's own.
 */
process.channel?.unref()
process.on('disconnect', () => process.exit(1))

const variants = new Map<string, string>(Object.entries(JSON.parse(process.env.PLANTED_MODULES || '{}')))

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const variant = variants.get(resolved.url)
    // The variant itself stands on the real one.
    if (variant === undefined || context.parentURL === variant) return resolved
    return { ...resolved, url: variant }
  },
})
