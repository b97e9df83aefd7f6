import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keepCookie } from '../../ui/keep-cookie.ts'

/** As a row of a menu it says in words what it does. */
export function ThemeToggle({ isRow = false }: { isRow?: boolean }) {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('dark') === 'dark'
  const label = t(isDark ? 'header.lightTheme' : 'header.darkTheme')
  const icon = isDark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />

  const toggle = () => {
    const chosen = isDark ? 'light' : 'dark'
    setColorScheme(chosen)
    keepCookie('theme', chosen)
  }

  if (isRow) {
    return (
      <Button
        variant="subtle"
        color="gray"
        size="md"
        fullWidth
        justify="space-between"
        rightSection={icon}
        onClick={toggle}
      >
        {label}
      </Button>
    )
  }
  return (
    <ActionIcon variant="subtle" color="gray" size={40} onClick={toggle} aria-label={label}>
      {icon}
    </ActionIcon>
  )
}
