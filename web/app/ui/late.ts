import { type ComponentType, createElement, lazy, useState } from 'react'

/**
 * A part of a page that is fetched when it is shown first, or before by `fetch`. After a deploy its file may be gone: then
 * the page is loaded again, with the files that go with it.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | undefined
  const Late: ComponentType<Props> = lazy(async () => {
    try {
      part = await load()
      return { default: part }
    } catch (error) {
      window.dispatchEvent(new CustomEvent('loadfailed', { detail: error }))
      throw error
    }
  })
  // What React waits for, it shows a moment late, even when it is here already.
  function Part(props: Props) {
    const [shown] = useState<ComponentType<Props>>(() => part ?? Late)
    return createElement(shown, props)
  }
  const fetch = async () => {
    part = await load()
  }
  return Object.assign(Part, { fetch })
}
