import { Tabs } from '@mantine/core'
import { type Language, languages } from '@olmos/contract/fields'
import type { ReactNode } from 'react'
import { languageNames } from '../../i18n/languages.ts'

/** Fields that are there once for each language, of which one is seen at a time. */
export const LanguageTabs = ({ children }: { children(language: Language): ReactNode }) => (
  <Tabs defaultValue={languages[0]}>
    <Tabs.List>
      {languages.map((language) => (
        <Tabs.Tab key={language} value={language}>
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
