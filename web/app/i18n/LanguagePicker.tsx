import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { keepCookie } from '../ui/keep-cookie.ts'
import { showIn } from './browser.ts'
import { type Language, languageNames, languages } from './languages.ts'
import { useLanguage } from './use-language.ts'

export function LanguagePicker() {
  const { t, i18n } = useTranslation()
  const current = useLanguage()
  const { revalidate } = useRevalidator()

  const choose = async (language: Language) => {
    localStorage.setItem('language', language)
    keepCookie('language', language)
    await showIn(i18n, language)
    // The texts of products come from the server, in its language.
    await revalidate()
  }

  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          aria-label={`${t('header.language')}: ${languageNames[current]}`}
          leftSection={<IconLanguage size={18} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {current.toUpperCase()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item key={language} lang={language} onClick={() => choose(language)}>
            {languageNames[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
