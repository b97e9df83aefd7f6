import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keepCookie } from '../../ui/keep-cookie.ts'

export function ThemeToggle() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('dark') === 'dark'

  const toggle = () => {
    const chosen = isDark ? 'light' : 'dark'
    setColorScheme(chosen)
    keepCookie('theme', chosen)
  }

  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      onClick={toggle}
      aria-label={t(isDark ? 'header.lightTheme' : 'header.darkTheme')}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  )
}
