import { Anchor, Box, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/Logo.tsx'

export function Footer() {
  const { t } = useTranslation()
  return (
    <Box component="footer" mt="xl" py="lg" px="md" style={{ borderTop: '1px solid var(--olmos-line)' }}>
      <Group maw="var(--olmos-content)" mx="auto" justify="space-between">
        <Logo />
        <Text size="sm" c="dimmed">
          {t('footer.text')}
        </Text>
        <Anchor component={Link} to={paths.support} size="sm">
          {t('header.support')}
        </Anchor>
      </Group>
    </Box>
  )
}
