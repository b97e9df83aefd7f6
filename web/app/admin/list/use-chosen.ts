import type { ListView } from './use-list-view.ts'

/** Which thing of a list is open, by the address; the part of the list that is shown stays. */
export function useChosen(view: ListView, name: string): [string, (chosen: string | undefined) => void] {
  const page = view.page === 1 ? undefined : view.page
  return [view.filter(name), (chosen) => view.change({ [name]: chosen, page })]
}
