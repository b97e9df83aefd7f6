import { registerHooks } from 'node:module'

/**
 * Puts modules in the place of others for whoever imports those, by their addresses. A module that takes another's place
 * may stand on the real one.
 */
export function replaceModules(variants: ReadonlyMap<string, string>): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      const variant = variants.get(resolved.url)
      // The variant itself stands on the real one.
      if (variant === undefined || context.parentURL === variant) return resolved
      return { ...resolved, url: variant }
    },
  })
}

/** Addresses of modules below `root` to addresses of files of `folder`. */
export const findPlaces = (modules: Readonly<Record<string, string>>, root: URL, folder: URL) =>
  new Map(
    Object.entries(modules).map(
      ([path, variant]) => [new URL(path, root).href, new URL(variant, folder).href] as const,
    ),
  )
