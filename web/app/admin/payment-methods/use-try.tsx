import { Alert } from '@mantine/core'
import type { ShopProvider, TriedAccount } from '@olmos/contract/payment-setup'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { tryAccount } from './payment-methods.queries.ts'

/** Asks a provider whether it takes the credentials, typed or stored; what is stored may end an alert. */
export function useTry(provider: ShopProvider) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (settings: Record<string, string>) => asAdmin(client, tryAccount(provider, settings)),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun('paymentSetup') }),
  })
}

/** Says what came of it. */
export function TriedText({ asking }: { asking: Pick<ReturnType<typeof useTry>, 'data' | 'error' | 'isPending'> }) {
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
      {triedSentences(t, data.data).join(' ')}
    </Alert>
  )
}

function triedSentences(t: TFunction, { result, code, is_test, has_receipts }: TriedAccount): string[] {
  const isKey = result === 'refused' && (code === null || code === 'not_allowed')
  return [
    t(`admin.payMethods.tried.${isKey ? 'wrong_key' : result}`, { code: code ?? '' }),
    ...(is_test === null ? [] : [t(`admin.payMethods.tried.${is_test ? 'test' : 'real'}`)]),
    ...(has_receipts === null ? [] : [t(`admin.payMethods.tried.${has_receipts ? 'receipts' : 'no_receipts'}`)]),
  ]
}
