import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ListedUser } from '@olmos/contract/users'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { Conflict } from '../form/Conflict.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { ReasonField } from '../form/ReasonField.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { useUnsaved } from '../form/use-unsaved.ts'
import { type Balances, toBalanceChange, toSeen } from './balance-change.rules.ts'
import { setBalance } from './users.queries.ts'

interface Values extends Record<string, unknown> {
  balanceUsd: number | string
  balanceRub: number | string
  reason: string
}

interface BalanceFormProps {
  user: ListedUser
  /** Hears whether something is typed that would be lost with the form. */
  onUnsaved(isUnsaved: boolean): void
}

/** Sets balances by an adjustment with a reason. What was bought or paid in meanwhile is not set back unseen. */
export function BalanceForm({ user, onUnsaved }: BalanceFormProps) {
  const { t } = useTranslation()
  const saving = useAdminForm<Values, Balances>({
    noun: 'users',
    row: user,
    toValues: (row = user) => ({
      balanceUsd: row.balanceUsd.toFixed(2),
      balanceRub: row.balanceRub.toFixed(2),
      reason: '',
    }),
    validate: missingFields,
    send: (values, _version, seen = user) => {
      const change = toBalanceChange(values, seen)
      return setBalance(user, { ...change, seen: toSeen(change, seen), reason: values.reason.trim() })
    },
    done: t('admin.users.balanceSet'),
    onSaved: (_row, sent) => {
      saving.form.setFieldValue('reason', (typed) => (typed === sent.reason ? '' : typed))
      saving.form.resetDirty({ ...saving.form.getInitialValues(), reason: '' })
    },
  })
  const { form } = saving
  // Not against the user as read last: fields that something is typed beside do not follow what is read.
  const isSame = Object.keys(toBalanceChange(form.values, form.getInitialValues())).length === 0
  const isUnsaved = !isSame || form.values.reason.trim() !== ''
  useUnsaved(isUnsaved, onUnsaved)
  const labels = { balanceUsd: t('admin.users.usd'), balanceRub: t('admin.users.rub') }
  return (
    <form onSubmit={saving.submit} noValidate aria-labelledby="balances">
      <Title order={2} size="h4" mb="sm" id="balances">
        {t('admin.users.balances')}
      </Title>
      <Stack>
        <Group grow>
          <MoneyInput currency="USD" label={labels.balanceUsd} min={0} {...form.getInputProps('balanceUsd')} />
          <MoneyInput currency="RUB" label={labels.balanceRub} min={0} {...form.getInputProps('balanceRub')} />
        </Group>
        <ReasonField {...form.getInputProps('reason')} />
        <RefusalAlert text={saving.refusal} />
        <Conflict form={saving} labels={labels} />
        <Group>
          <Button type="submit" loading={saving.isBusy} disabled={isSame || saving.foreignChanges.length > 0}>
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
