import type { Plugin } from 'vite'

/**
 * Keeps lazy parts of pages from asking for the styles that every document has. Vite would not recognise them, as React
 * Router marks their address, and would put them behind those of the page, which are written to come after them.
 */
export function firstStyles(): Plugin {
  return {
    name: 'first-styles',
    apply: 'build',
    generateBundle: {
      // Vite writes its lists in this hook too.
      order: 'post',
      handler(_, bundle) {
        const files = Object.keys(bundle)
        const styles = files.find((file) => /\/first-[^/]+\.css$/.test(file))
        const scripts = files.find((file) => /\/first-[^/]+\.js$/.test(file))
        if (!styles || !scripts) return
        // Parts are numbered by their place in a list, so another file that is there already takes this one's place.
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(`"${styles}"`, `"${scripts}"`)
        }
      },
    },
  }
}
