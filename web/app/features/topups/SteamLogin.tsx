import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { KeptAccounts } from './KeptAccounts.tsx'
import { cleanLogin, isLogin } from './steam-login.ts'

interface SteamLoginProps {
  value: string
  onChange(login: string): void
}

/** The login, and help with finding it. */
export function SteamLogin({ value, onChange }: SteamLoginProps) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Stack gap="sm">
      <TextInput
        size="md"
        label={t('topups.steam.login')}
        description={t('topups.steam.loginHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={value !== '' && !isLogin(value) ? t('topups.steam.badLogin') : undefined}
        value={value}
        onChange={(event) => onChange(cleanLogin(event.currentTarget.value))}
      />
      <Anchor component="button" type="button" ta="start" onClick={open}>
        {t('topups.steam.help')}
      </Anchor>
      <KeptAccounts service="steam" current={value} onChoose={({ id }) => onChange(id)} />
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
    </Stack>
  )
}
