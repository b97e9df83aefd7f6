import { SimpleGrid, Text, Title } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import { IconClock, IconMapPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Surface } from '../../ui/Surface.tsx'

/** When the money arrives, and where it can't. */
export function SteamNotes() {
  const { t } = useTranslation()
  const notes = [
    {
      icon: IconClock,
      title: t('topups.steam.timing'),
      text: t('topups.steam.timingText', { count: BUSINESS.topupMinutes }),
    },
    { icon: IconMapPin, title: t('topups.steam.regions'), text: t('topups.steam.regionsText') },
  ]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {notes.map(({ icon: Icon, title, text }) => (
        <Surface key={title}>
          <Icon size={24} color="var(--mantine-color-anchor)" aria-hidden />
          <Title order={3} size="h5" mt={4}>
            {title}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {text}
          </Text>
        </Surface>
      ))}
    </SimpleGrid>
  )
}
