import { Alert, Button, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ListedUser } from '@olmos/contract/users'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/api-error.ts'
import { fieldTexts } from '../../api/field-texts.ts'
import { moneySign } from '../form/money-sign.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { type BalanceChange, noun, setBalance } from './users.queries.ts'

const money = {
  decimalScale: 2,
  fixedDecimalScale: true,
  min: 0,
  thousandSeparator: ' ',
  inputMode: 'decimal',
  hideControls: true,
} as const

/** Sets balances by an adjustment with a reason. Only what was changed is sent. */
export function BalanceForm({ user }: { user: ListedUser }) {
  const { t } = useTranslation()
  const action = useAdminAction({
    noun,
    send: (change: BalanceChange) => setBalance(user, change),
    done: t('admin.users.balanceSet'),
  })
  const form = useForm<{ balanceUsd: number | string; balanceRub: number | string; reason: string }>({
    initialValues: { balanceUsd: user.balanceUsd, balanceRub: user.balanceRub, reason: '' },
    validate: {
      balanceUsd: (value) => (value === '' ? t('field.required') : null),
      balanceRub: (value) => (value === '' ? t('field.required') : null),
      reason: (value) => (value.trim() === '' ? t('field.required') : null),
    },
  })
  const changed = {
    ...(Number(form.values.balanceUsd) !== user.balanceUsd && { balanceUsd: Number(form.values.balanceUsd) }),
    ...(Number(form.values.balanceRub) !== user.balanceRub && { balanceRub: Number(form.values.balanceRub) }),
  }
  const isSame = Object.keys(changed).length === 0

  const submit = form.onSubmit(({ reason }) =>
    action.mutate(
      { ...changed, reason: reason.trim() },
      { onError: (error) => form.setErrors(fieldTexts(t, fieldErrorsOf(error))) },
    ),
  )
  return (
    <form onSubmit={submit} noValidate aria-labelledby="balances">
      <Title order={2} size="h4" mb="sm" id="balances">
        {t('admin.users.balances')}
      </Title>
      <Stack>
        <Group grow>
          <NumberInput
            label={t('admin.users.usd')}
            {...moneySign.USD}
            {...money}
            {...form.getInputProps('balanceUsd')}
          />
          <NumberInput
            label={t('admin.users.rub')}
            {...moneySign.RUB}
            {...money}
            {...form.getInputProps('balanceRub')}
          />
        </Group>
        <TextInput
          label={t('admin.reason.label')}
          description={t('admin.reason.hint')}
          maxLength={500}
          required
          {...form.getInputProps('reason')}
        />
        {action.refusal && (
          <Alert color="red" role="alert">
            {action.refusal}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={action.isPending} disabled={isSame}>
            {t('admin.users.setBalance')}
          </Button>
          {isSame && (
            <Text size="sm" c="dimmed">
              {t('admin.users.balanceSame')}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}
