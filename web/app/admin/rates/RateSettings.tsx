import {
  Alert,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CurrencySettings, RateSourceName } from '@olmos/contract/rates'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { fieldTexts } from '../../api/field-texts.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { noticeError } from '../../ui/notice.ts'
import { Surface } from '../../ui/Surface.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { noun, type SettingsChange, saveSettings } from './rates.queries.ts'

const sourceTexts = {
  cbr: 'admin.rates.sources.cbr',
  cbu: 'admin.rates.sources.cbu',
  fixed: 'admin.rates.sources.fixed',
} as const satisfies Record<RateSourceName, string>

const percent = { suffix: ' %', decimalScale: 2, min: 0, hideControls: true, inputMode: 'decimal' } as const

/** When rates are renewed, from where, and how far they may jump by themselves. */
export function RateSettings({ settings: { last_run_at, last_error, ...settings } }: { settings: CurrencySettings }) {
  const { t } = useTranslation()
  const save = useAdminAction({ noun, send: saveSettings, done: t('admin.form.saved') })
  const form = useForm<SettingsChange>({ initialValues: settings })
  const refuse = (error: Error) => {
    const errors = fieldTexts(t, fieldErrorsOf(error))
    form.setErrors(errors)
    if (Object.keys(errors).length === 0) noticeError(failureText(t, error))
  }
  return (
    <form
      onSubmit={form.onSubmit((values) => save.mutate(values, { onError: refuse }))}
      noValidate
      aria-labelledby="settings"
    >
      <Surface p="lg">
        <Stack>
          <Title order={2} size="h4" id="settings">
            {t('admin.rates.settings')}
          </Title>
          <Switch label={t('admin.rates.daily')} {...form.getInputProps('auto_update', { type: 'checkbox' })} />
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <TextInput type="time" label={t('admin.rates.time')} {...form.getInputProps('update_time')} />
            <TextInput label={t('admin.rates.timezone')} {...form.getInputProps('timezone')} />
            <NativeSelect
              label={t('admin.rates.from')}
              data={Object.entries(sourceTexts).map(([value, text]) => ({ value, label: t(text) }))}
              {...form.getInputProps('source')}
            />
            <NumberInput
              label={t('admin.rates.maxJump')}
              description={t('admin.rates.maxJumpHint')}
              {...percent}
              {...form.getInputProps('max_jump_percent')}
            />
            <NumberInput
              label={t('admin.rates.markup')}
              description={t('admin.rates.markupHint')}
              {...percent}
              {...form.getInputProps('markup_percent')}
            />
          </SimpleGrid>
          {last_error && (
            <Alert color="red" title={t('admin.rates.lastError')}>
              {last_error}
            </Alert>
          )}
          <Group justify="space-between">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t('admin.form.save')}
            </Button>
            {last_run_at && (
              <Text size="sm" c="dimmed">
                {t('admin.rates.lastRun')} <Moment at={last_run_at} />
              </Text>
            )}
          </Group>
        </Stack>
      </Surface>
    </form>
  )
}
