import { Anchor, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** Shows where one finds the login. */
export function SteamHelp() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Anchor component="button" type="button" ta="start" mih={44} onClick={open}>
        {t('topups.steam.help')}
      </Anchor>
      <Dialog isOpen={isOpen} onClose={close} title={t('topups.steam.help')} closeLabel={t('topups.close')}>
        <Stack component="ol" gap="sm" m={0} pl="lg">
          {[
            t('topups.steam.helpOpen'),
            t('topups.steam.helpMenu'),
            t('topups.steam.helpDetails'),
            t('topups.steam.helpCopy'),
          ].map((step) => (
            <Text key={step} component="li">
              {step}
            </Text>
          ))}
        </Stack>
      </Dialog>
    </>
  )
}
