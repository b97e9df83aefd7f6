import { Button } from '@mantine/core'
import { IconBrandTelegram } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './MessengerLink.module.css'

/** Floats above the page and leads to the operator's messenger. */
export function MessengerLink({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <Button
      component="a"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      classNames={{ root: classes.link, section: classes.icon, label: classes.text }}
      radius="xl"
      size="md"
      leftSection={<IconBrandTelegram size={22} />}
    >
      {t('support.messenger')}
    </Button>
  )
}
