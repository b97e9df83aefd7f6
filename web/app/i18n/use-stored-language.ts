import { useEffect } from 'react'
import { lastingStorage } from '../ui/browser-storage.ts'
import { useLanguage, useOfferedLanguages } from './use-language.ts'
import { languageKey, useLanguageChoice } from './use-language-choice.ts'

/** Follows the language the browser keeps: when the server did not know it, and when another tab changes it. */
export function useStoredLanguage(): void {
  const current = useLanguage()
  const choose = useLanguageChoice()
  const offered = useOfferedLanguages()

  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the storage, not what this page chooses
  useEffect(() => {
    const follow = () => {
      const stored = lastingStorage.getItem(languageKey)
      // What is no language of the shop is its default one, whatever the server was told.
      const wanted = offered.find((language) => language === stored) ?? offered[0]
      if (stored !== null && wanted && wanted !== document.documentElement.lang) void choose(wanted)
    }
    const followTab = ({ key }: StorageEvent) => key === languageKey && follow()
    // An address that names a language is for reading in it.
    if (!new URLSearchParams(window.location.search).has('lang')) follow()
    window.addEventListener('storage', followTab)
    return () => window.removeEventListener('storage', followTab)
  }, [current])
}
