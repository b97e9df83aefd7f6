import { Box, Burger, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LanguagePicker } from '../../i18n/LanguagePicker.tsx'
import { CurrencyPicker } from '../../money/CurrencyPicker.tsx'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import { SideMenu } from '../../ui/SideMenu.tsx'
import classes from './Header.module.css'
import { HeaderLinks } from './HeaderLinks.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

export function Header() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <header className={classes.header}>
      <Group maw="calc(var(--olmos-content) - 32px)" mih={64} mx="auto" justify="space-between" gap="xs">
        <Link to={paths.home} aria-label={t('header.home')} className={classes.mark}>
          <Logo />
        </Link>
        <Box component="nav" aria-label={t('header.menu')} visibleFrom="md">
          <Group gap={4} wrap="nowrap">
            <HeaderLinks />
          </Group>
        </Box>
        {/* Wraps where large text leaves no room for all of it in a row. */}
        <Group gap={4} justify="flex-end" className={classes.tools}>
          <LanguagePicker />
          <CurrencyPicker />
          <Box visibleFrom="md">
            <ThemeToggle />
          </Box>
          <Burger hiddenFrom="md" size="sm" onClick={open} aria-label={t('header.menu')} aria-haspopup="dialog" />
        </Group>
      </Group>
      {isOpen && (
        <SideMenu title={t('header.menu')} closeLabel={t('header.closeMenu')} onClose={close}>
          <Stack component="nav" aria-label={t('header.menu')} gap={4}>
            <HeaderLinks onFollow={close} />
          </Stack>
          <Box className={classes.foot}>
            <ThemeToggle isRow />
          </Box>
        </SideMenu>
      )}
    </header>
  )
}
