import { Alert, Anchor, Button, Checkbox, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NotificationKind, NotificationWay } from '@olmos/contract/notifications'
import { IconBrandTelegram } from '@tabler/icons-react'
import { failureText } from '../../api/failure-text.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { storedCustomer } from '../../session/session.ts'
import { Surface } from '../../ui/Surface.tsx'
import { HiddenNickname, PasswordField } from './account-fields.tsx'
import { useLinkTelegram, useNotifications, useTurnNotification, useUnlinkTelegram } from './notifications.queries.ts'

/** In the order of the contract, whose list would bring its schemas into the page. */
const kinds: readonly NotificationKind[] = ['answered', 'delivered', 'refunded']

/** What the customer is told by Telegram and e-mail, and at which address. */
export function OwnNotifications() {
  const { t } = useTranslation()
  const { data } = useNotifications()
  if (!data?.has_bot && !data?.has_mail) return null
  const { ways, has_bot, has_mail } = data
  const chat = ways.find(({ channel }) => channel === 'telegram')
  const canStart = has_bot && (!chat || chat.fault !== null || !chat.recovers)
  return (
    <Surface title={t('notifications.title')}>
      <Stack>
        {has_mail && ways.length === 0 && <Text c="dimmed">{t('notifications.none')}</Text>}
        {ways.map((way) => (
          <Way key={way.channel} way={way} />
        ))}
        {canStart && <StartTelegram isAgain={chat !== undefined} />}
      </Stack>
    </Surface>
  )
}

function Way({ way: { channel, address, recovers, kinds: sent, fault } }: { way: NotificationWay }) {
  const { t } = useTranslation()
  const turn = useTurnNotification()
  const unlink = useUnlinkTelegram()
  const failed = turn.error ?? unlink.error
  const name = address ?? t('notifications.telegram')
  return (
    <Stack gap="xs" align="flex-start" role="group" aria-label={name}>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }} translate="no">
        {name}
      </Text>
      {fault && (
        <Text size="sm" c="var(--olmos-bad)">
          {t(channel === 'email' ? 'notifications.mailGone' : 'notifications.chatGone')}
        </Text>
      )}
      {!fault && !recovers && <Text size="sm">{t('notifications.proveAgain')}</Text>}
      {!fault &&
        kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`notifications.kind.${kind}`)}
            checked={sent.includes(kind)}
            onChange={(event) => turn.mutate({ channel, kind, is_on: event.currentTarget.checked })}
          />
        ))}
      {failed && (
        <Alert color="red" role="alert">
          {failureText(t, failed)}
        </Alert>
      )}
      {channel === 'telegram' && (
        <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate()}>
          {t('notifications.unlink')}
        </Button>
      )}
    </Stack>
  )
}

/**
 * A link to the bot, in which the customer presses "start"; the page sees by itself that it was. It asks for the password,
 * because the chat can get a link for a new one.
 */
function StartTelegram({ isAgain }: { isAgain: boolean }) {
  const { t } = useTranslation()
  const link = useLinkTelegram()
  // By its name the field is told from that of the form for another password, on one page with it.
  const form = useForm({ name: 'telegram', initialValues: { currentPassword: '' } })
  const refusal = useRefusal(form, link.error)
  const submit = form.onSubmit(({ currentPassword }) => link.mutate(currentPassword, { onError: refusal.refuse }))
  if (link.data) {
    return (
      <Stack gap="xs" align="flex-start" role="status">
        <Text>{t('notifications.press')}</Text>
        <Anchor
          href={link.data}
          target="_blank"
          rel="noopener noreferrer"
          underline="always"
          display="flex"
          mih={44}
          style={{ alignItems: 'center' }}
        >
          {t('notifications.openBot')}
        </Anchor>
        <Button
          variant="default"
          onClick={() => {
            form.reset()
            link.reset()
          }}
        >
          {t('notifications.newLink')}
        </Button>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" align="flex-start">
        <HiddenNickname nickname={storedCustomer().nickname} />
        <PasswordField
          w="100%"
          label={t('profile.currentPassword')}
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <Button type="submit" variant="default" leftSection={<IconBrandTelegram size={18} />} loading={link.isPending}>
          {t(isAgain ? 'notifications.linkAgain' : 'notifications.link')}
        </Button>
        {refusal.text && (
          <Alert color="red" role="alert">
            {refusal.text}
          </Alert>
        )}
      </Stack>
    </form>
  )
}
