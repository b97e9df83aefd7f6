import { type ComponentType, lazy } from 'react'

/**
 * A part of a page that is fetched when it is shown first. After a deploy its file may be gone: then the page is loaded
 * again, with the files that go with it.
 */
export const late = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      window.dispatchEvent(new CustomEvent('loadfailed', { detail: error }))
      throw error
    }
  })
