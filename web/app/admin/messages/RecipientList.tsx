import { Alert, Box, Button, Group, MultiSelect, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { alertKinds } from '@olmos/contract/alerts'
import * as LIMITS from '@olmos/contract/limits'
import { messageChannels, type Recipient } from '@olmos/contract/messages'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RowButtons } from '../list/RowButtons.tsx'
import { asAdmin } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { type RecipientValues, removeRecipient, saveRecipient, sendTest } from './messages.queries.ts'

/** Who gets messages, and how each is reached. */
export function RecipientList({ recipients }: { recipients: readonly Recipient[] }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<Recipient | 'new'>()
  const [removed, setRemoved] = useState<Recipient>()
  return (
    <Stack gap="sm">
      {recipients.length === 0 && <Text c="dimmed">{t('admin.messages.nobody')}</Text>}
      <Stack gap="sm" component="ul" p={0} m={0}>
        {recipients.map((recipient) => (
          <RecipientRow
            key={recipient.id}
            recipient={recipient}
            onEdit={() => setEdited(recipient)}
            onRemove={() => setRemoved(recipient)}
          />
        ))}
      </Stack>
      <Group>
        <Allowed to="messages.write">
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.messages.add')}
          </Button>
        </Allowed>
      </Group>
      {edited && (
        <RecipientForm recipient={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed && (
        <ActionDialog
          title={t('admin.messages.removeTitle', { name: removed.name })}
          noun="messages"
          send={() => removeRecipient(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <Text>{t('admin.messages.removeText')}</Text>
        </ActionDialog>
      )}
    </Stack>
  )
}

interface RecipientRowProps {
  recipient: Recipient
  onEdit(): void
  onRemove(): void
}

function RecipientRow({ recipient, onEdit, onRemove }: RecipientRowProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const test = useMutation({
    mutationFn: () => asAdmin(client, sendTest(recipient)),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun('messages') }),
  })
  const { name, channel, address, language, alert_kinds, quiet_hours, is_on, fault, words } = recipient
  const kinds = alert_kinds
    ? t('admin.messages.kindCount', { count: alert_kinds.length })
    : t('admin.messages.allKinds')
  const hours = quiet_hours ? t('admin.messages.quietFromTo', quiet_hours) : t('admin.messages.noQuietHours')
  return (
    <Box component="li" aria-label={name} style={{ listStyle: 'none' }}>
      <Surface>
        <Stack gap="xs">
          <Group justify="space-between" gap="sm">
            <div>
              <Group gap="xs">
                <Text fw={700}>{name}</Text>
                <StatusBadge
                  tone={is_on ? 'good' : fault ? 'bad' : 'wait'}
                  text={t(is_on ? 'admin.messages.on' : 'admin.messages.off')}
                />
              </Group>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {t(`admin.messages.channel.${channel}`)}: <span translate="no">{address}</span>
              </Text>
              <Text size="sm" c="dimmed">
                {[languageNames[language], kinds, hours].join(' · ')}
              </Text>
            </div>
            <Group gap="xs">
              <Allowed to="messages.write">
                <Button
                  variant="default"
                  leftSection={<IconSend size={18} />}
                  loading={test.isPending}
                  aria-label={t('admin.messages.testOf', { name })}
                  onClick={() => test.mutate()}
                >
                  {t('admin.messages.test')}
                </Button>
              </Allowed>
              <Allowed to="messages.write">
                <RowButtons name={name} onEdit={onEdit} onRemove={onRemove} />
              </Allowed>
            </Group>
          </Group>
          {!is_on && fault && (
            <Alert color="red">
              {t(`admin.messages.fault.${fault}`)} {words && <span translate="no">({words})</span>}
            </Alert>
          )}
          <Tested test={test} />
        </Stack>
      </Surface>
    </Box>
  )
}

interface TestedProps {
  test: Pick<ReturnType<typeof useMutation<Awaited<ReturnType<typeof sendTest>>>>, 'data' | 'error' | 'isPending'>
}

/** Says what came of a test message. */
function Tested({ test: { data, error, isPending } }: TestedProps) {
  const { t, language } = useTranslation()
  if (isPending || (!data && !error)) return null
  if (error || !data) return <RefusalAlert text={refusalText({ t, language }, error)} />
  const { state, fault, words } = data.data
  if (state === 'sent') return <Alert color="green" role="status" title={t('admin.messages.testSent')} />
  return (
    <Alert color="yellow" role="alert" title={t('admin.messages.testFailed')}>
      {fault && t(`admin.messages.fault.${fault}`)} {words && <span translate="no">({words})</span>}
    </Alert>
  )
}

function RecipientForm({ recipient, onClose }: { recipient: Recipient | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const ownLanguage = useLanguage()
  const toValues = (row: Recipient | undefined): RecipientValues => ({
    name: row?.name ?? '',
    channel: row?.channel ?? 'telegram',
    address: row?.address ?? '',
    language: row?.language ?? ownLanguage,
    alert_kinds: row?.alert_kinds ?? [],
    quiet_hours: row?.quiet_hours ?? { from: '', to: '' },
    is_on: row?.is_on ?? true,
  })
  const { form, ...saving } = useAdminForm<RecipientValues, Recipient>({
    noun: 'messages',
    row: recipient,
    toValues,
    send: (values, version) => saveRecipient(recipient, values, version),
    onSaved: onClose,
  })
  const labels = {
    name: t('admin.messages.name'),
    channel: t('admin.messages.by'),
    address: t(`admin.messages.address.${form.values.channel}`),
    language: t('admin.messages.language'),
    alert_kinds: t('admin.messages.kinds'),
    'quiet_hours.from': t('admin.messages.quietFrom'),
    'quiet_hours.to': t('admin.messages.quietTo'),
    is_on: t('admin.messages.isOn'),
  }
  return (
    <FormDrawer
      title={recipient ? t('admin.list.edit', { name: recipient.name }) : t('admin.messages.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        required
        maxLength={LIMITS.recipientNameMax}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={labels.channel}
        disabled={recipient !== undefined}
        data={messageChannels.map((value) => ({ value, label: t(`admin.messages.channel.${value}`) }))}
        {...form.getInputProps('channel')}
      />
      <TextInput
        label={labels.address}
        description={t(`admin.messages.addressHint.${form.values.channel}`)}
        required
        maxLength={LIMITS.emailLengthMax}
        {...form.getInputProps('address')}
      />
      <NativeSelect
        label={labels.language}
        data={shownLanguages.map((value) => ({ value, label: languageNames[value] }))}
        {...form.getInputProps('language')}
      />
      <MultiSelect
        label={labels.alert_kinds}
        description={t('admin.messages.kindsHint')}
        searchable
        clearable
        data={alertKinds.map((kind) => ({ value: kind, label: t(`admin.alerts.kind.${kind}`) }))}
        {...form.getInputProps('alert_kinds')}
      />
      <Group grow align="start">
        <TextInput type="time" label={labels['quiet_hours.from']} {...form.getInputProps('quiet_hours.from')} />
        <TextInput type="time" label={labels['quiet_hours.to']} {...form.getInputProps('quiet_hours.to')} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('admin.messages.quietHint')}
      </Text>
      <Switch label={labels.is_on} {...form.getInputProps('is_on', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
