import { useEffect, useSyncExternalStore } from 'react'
import { lastingStorage } from './browser-storage.ts'
import { keepCookie } from './keep-cookie.ts'

type ColorScheme = 'dark' | 'light'

/** Mantine's name for it, which browsers have kept it under since the first version. */
const storageName = 'mantine-color-scheme-value'

const readShown = (): ColorScheme =>
  document.documentElement.dataset.mantineColorScheme === 'light' ? 'light' : 'dark'

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
  return () => observer.disconnect()
}

/** The theme the page is shown in; `rendered` is the one the server rendered it in. */
export const useColorScheme = (rendered: ColorScheme): ColorScheme =>
  useSyncExternalStore(subscribe, readShown, () => rendered)

const show = (chosen: ColorScheme) => {
  document.documentElement.dataset.mantineColorScheme = chosen
}

/** Shows the shop in another theme, now and with the next visit. */
export function chooseColorScheme(chosen: ColorScheme): void {
  lastingStorage.setItem(storageName, chosen)
  keepCookie('theme', chosen)
  show(chosen)
}

/** Follows the theme the browser keeps: when the server did not know it, and when another tab changes it. */
export function useStoredColorScheme(): void {
  useEffect(() => {
    const follow = () => {
      const stored = lastingStorage.getItem(storageName)
      if ((stored === 'dark' || stored === 'light') && stored !== readShown()) show(stored)
    }
    const followTab = ({ key }: StorageEvent) => key === storageName && follow()
    follow()
    window.addEventListener('storage', followTab)
    return () => window.removeEventListener('storage', followTab)
  }, [])
}
