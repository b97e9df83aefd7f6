import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { FiscalSettings, FiscalTrial } from '@olmos/contract/fiscal-settings'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { tryReceipt } from './fiscal.queries.ts'

const most = 10

/** Has a provider look at a receipt that says what is saved, with a payment that nobody will make. */
export function TryReceipt({ available }: Pick<FiscalSettings, 'available'>) {
  const { t } = useTranslation()
  const [provider, setProvider] = useState(available[0]?.name ?? '')
  const [amount, setAmount] = useState<number | string>(most)
  const [email, setEmail] = useState('')
  const attempt = useAdminAction({ noun: 'fiscal', send: tryReceipt, done: t('admin.fiscal.tried') })
  const least = Math.max(1, available.find(({ name }) => name === provider)?.least ?? 1)
  return (
    <form
      noValidate
      aria-labelledby="fiscal-try"
      onSubmit={(event) => {
        event.preventDefault()
        attempt.mutate({ provider, amount: Number(amount), email })
      }}
    >
      <Surface p="lg">
        <Stack>
          <Title order={2} size="h4" id="fiscal-try">
            {t('admin.fiscal.try')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('admin.fiscal.tryText')}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <NativeSelect
              label={t('admin.fiscal.provider')}
              data={available.map(({ name }) => name)}
              value={provider}
              onChange={(event) => setProvider(event.currentTarget.value)}
            />
            <MoneyInput
              currency="RUB"
              label={t('admin.fiscal.amount')}
              min={least}
              max={most}
              value={amount}
              onChange={setAmount}
            />
            <TextInput
              type="email"
              autoComplete="email"
              label={t('admin.fiscal.email')}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
          </SimpleGrid>
          <RefusalAlert text={attempt.refusal} />
          {attempt.data && (
            <Alert role="status" color={attempt.data.outcome === 'accepted' ? 'green' : 'red'}>
              {toWords(t, attempt.data)}
            </Alert>
          )}
          <Group>
            <Button type="submit" variant="default" loading={attempt.isPending} disabled={email.trim() === ''}>
              {t('admin.fiscal.tryNow')}
            </Button>
          </Group>
        </Stack>
      </Surface>
    </form>
  )
}

/** Says what came of it, in the provider's own words where it refused. */
function toWords(t: TFunction, { outcome, parameter, payment, ...trial }: FiscalTrial): string {
  const code = trial.code ?? ''
  if (outcome === 'accepted')
    return t(payment === 'canceled' ? 'admin.fiscal.acceptedCanceled' : 'admin.fiscal.accepted')
  if (outcome === 'unknown') return t('admin.fiscal.unknown', { code })
  if (code === 'not_allowed') return t('admin.fiscal.notAllowed')
  return parameter ? t('admin.fiscal.refusedParameter', { code, parameter }) : t('admin.fiscal.refused', { code })
}
