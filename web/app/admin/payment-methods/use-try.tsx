import { Alert, Button, Group } from '@mantine/core'
import type { TriedAccount } from '@olmos/contract/payment-setup'
import { IconPlugConnected } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin } from '../list/use-admin-list.ts'

type Tried = Pick<TriedAccount, 'result' | 'code'>

/** Asks a provider or a supplier whether it takes the credentials, typed or stored; what is stored may end an alert. */
export function useTry<Account extends Tried>(
  noun: AdminNoun,
  ask: (settings: Record<string, string>) => Promise<{ data: Account }>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (settings: Record<string, string>) => asAdmin(client, ask(settings)),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun(noun) }),
  })
}

interface TriedTextProps<Account> {
  asking: { data: { data: Account } | undefined; error: Error | null; isPending: boolean }
  toSentences(t: TFunction, tried: Account): string[]
}

/** Says what came of it. */
export function TriedText<Account extends Tried>({ asking, toSentences }: TriedTextProps<Account>) {
  const { t, language } = useTranslation()
  const { data, error, isPending } = asking
  if (isPending || (!data && !error)) return null
  if (error) {
    const fields = Object.entries(fieldTexts(t, toFieldErrors(error)))
    const text = fields.map(([name, fault]) => `${name}: ${fault}`).join('. ') || refusalText({ t, language }, error)
    return <RefusalAlert text={text} />
  }
  if (!data) return null
  const isGood = data.data.result === 'works'
  return (
    <Alert color={isGood ? 'green' : 'yellow'} role={isGood ? 'status' : 'alert'}>
      {toSentences(t, data.data).join(' ')}
    </Alert>
  )
}

interface Asking {
  isPending: boolean
  mutate(settings: Record<string, string>): void
}

/** Tries the account as it is stored. */
export function TryStored({ asking }: { asking: Asking }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      leftSection={<IconPlugConnected size={18} />}
      loading={asking.isPending}
      onClick={() => asking.mutate({})}
    >
      {t('admin.payMethods.try')}
    </Button>
  )
}

interface TryTypedProps<Account> extends TriedTextProps<Account> {
  asking: TriedTextProps<Account>['asking'] & Asking
  typed: Record<string, string>
}

/** Tries what is typed before it is saved, and says what came of it. */
export function TryTyped<Account extends Tried>({ asking, toSentences, typed }: TryTypedProps<Account>) {
  const { t } = useTranslation()
  return (
    <>
      <TriedText asking={asking} toSentences={toSentences} />
      <Group>
        <Button variant="default" loading={asking.isPending} onClick={() => asking.mutate(typed)}>
          {t('admin.payMethods.try')}
        </Button>
      </Group>
    </>
  )
}

/** Tells a key that is not taken from what is refused for another reason. */
export const toTriedWord = ({ result, code }: Tried) =>
  result === 'refused' && (code === null || code === 'not_allowed') ? 'wrong_key' : result
