import { Tabs } from '@mantine/core'
import { type Language, languages } from '@olmos/contract/fields'
import type { ReactNode } from 'react'
import { languageNames } from '../../i18n/languages.ts'

interface LanguageTabsProps {
  /** What the tabs are for, where the form around them does not say it. */
  label?: string
  /** Marks a language whose fields have errors, which may be out of sight. */
  isWrong?(language: Language): boolean
  children(language: Language): ReactNode
}

/** Fields that are there once for each language, of which one is seen at a time. */
export const LanguageTabs = ({ label, isWrong, children }: LanguageTabsProps) => (
  <Tabs defaultValue={languages[0]}>
    <Tabs.List aria-label={label}>
      {languages.map((language) => (
        <Tabs.Tab key={language} value={language} {...(isWrong?.(language) && { c: 'var(--olmos-bad)' })}>
          {languageNames[language]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {languages.map((language) => (
      <Tabs.Panel key={language} value={language} pt="md">
        {children(language)}
      </Tabs.Panel>
    ))}
  </Tabs>
)
