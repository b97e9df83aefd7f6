/** A fault that a run plants on purpose: a run that can't find it proves nothing. */
export interface Break {
  /** What somebody got wrong. */
  sentence: string
  /** Modules of the product, from the root of the repository, whose place a file of the run's own folder takes. */
  modules?: Record<string, string>
}

const root = new URL('../', import.meta.url)

/** The setting that has `preload.ts` put files of `folder` in the place of modules of the product. */
export function plantModules({ modules = {} }: Pick<Break, 'modules'>, folder: string): { PLANTED_MODULES: string } {
  const places = Object.entries(modules).map(([path, variant]) => [
    new URL(path, root).href,
    new URL(variant, folder).href,
  ])
  return { PLANTED_MODULES: JSON.stringify(Object.fromEntries(places)) }
}
