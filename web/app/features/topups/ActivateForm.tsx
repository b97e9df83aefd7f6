import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { toastError, toastSuccess, toastWarning } from '../../ui/toast.ts'
import { useActivateCode } from './topups.queries.ts'

interface ActivateFormProps {
  playerId: string
  /** The code is spent: the player is forgotten with it. */
  onActivated(): void
}

/** A code, and the press that spends it on the player. */
export function ActivateForm({ playerId, onActivated }: ActivateFormProps) {
  const { t } = useTranslation()
  const requireLogin = useLoginGate()
  const activation = useActivateCode()
  const [code, setCode] = useState('')
  const [orderId, setOrderId] = useState<string>()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!requireLogin(t('topups.loginRequired'))) return
    if (playerId === '' || code === '') return toastWarning(t('topups.freefire.fillAll'))
    activation.mutate(
      { playerID: playerId, code },
      {
        onSuccess: ({ order_id }) => {
          setOrderId(order_id)
          setCode('')
          onActivated()
          toastSuccess(t('topups.freefire.activated'))
        },
        onError: (error) => toastError(isTold(error) ? failureText(t, error) : t('topups.freefire.activationFailed')),
      },
    )
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          size="md"
          label={t('topups.freefire.code')}
          description={t('topups.freefire.codeHint')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={LIMITS.typedCodeMax}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.replace(/\s/g, '').toUpperCase())}
        />
        <Button type="submit" size="md" loading={activation.isPending}>
          {t('topups.freefire.activateNow')}
        </Button>
        {orderId && (
          <Group role="status" gap="xs">
            <StatusBadge tone="good" text={t('topups.freefire.activated')} />
            <Anchor component={Link} to={paths.order(orderId)} display="flex" mih={44} style={{ alignItems: 'center' }}>
              {t('topups.freefire.follow')}
            </Anchor>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** Whether the store said what is wrong; trouble on the way says nothing of the code. */
const isTold = (error: Error): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.code !== 'UNEXPECTED_ERROR' &&
  error.code !== 'VALIDATION_FAILED'
