import { IconMoon, IconSun } from '@tabler/icons-react'
import { useRouteLoaderData } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { ServerValues } from '../../server-context.ts'
import { chooseColorScheme, useColorScheme } from '../../ui/color-scheme.ts'
import { IconPress } from '../../ui/Press.tsx'
import classes from './links.module.css'

/** As a row of a menu it says in words what it does. */
export function ThemeToggle({ isRow = false }: { isRow?: boolean }) {
  const { t } = useTranslation()
  const rendered = useRouteLoaderData<Pick<ServerValues, 'colorScheme'>>('root')?.colorScheme
  const isDark = useColorScheme(rendered ?? 'dark') === 'dark'
  const label = t(isDark ? 'header.lightTheme' : 'header.darkTheme')
  const icon = isDark ? <IconSun size={20} aria-hidden /> : <IconMoon size={20} aria-hidden />
  const toggle = () => chooseColorScheme(isDark ? 'light' : 'dark')

  if (isRow) {
    return (
      <button type="button" className={`${classes.link} ${classes.toggle}`} data-row onClick={toggle}>
        {icon}
        {label}
      </button>
    )
  }
  return (
    <IconPress onClick={toggle} aria-label={label}>
      {icon}
    </IconPress>
  )
}
