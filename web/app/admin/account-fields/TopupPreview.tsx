import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import type { Language } from '@olmos/contract/fields'
import type { EditedProduct } from '@olmos/contract/products'
import { useId, useState } from 'react'
import { AccountForm } from '../../features/topups/AccountForm.tsx'
import { type Account, cleanValue, faultText, refusedFields, sentAccount } from '../../features/topups/account.ts'
import type { AccountFormState } from '../../features/topups/use-account.ts'
import { languageNames } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { toOptions } from '../list/FilterSelect.tsx'
import { toOfferName, useAllOffers } from '../products/products.queries.ts'
import { type Trial, type TriedTopup, tryTopup } from './account-fields.queries.ts'
import { type FieldsForm, shownFields } from './fields-form.ts'

interface TopupPreviewProps {
  product: EditedProduct
  form: FieldsForm
  /** Only what is saved can be tried. */
  isSaved: boolean
}

/** The form that customers will meet, in each language; filled in and sent, it is tried with the sandbox. */
export function TopupPreview({ product, form, isSaved }: TopupPreviewProps) {
  const { t } = useTranslation()
  const title = useId()
  const [language, setLanguage] = useState<Language>(useLanguage())
  const [values, setValues] = useState<Account>({})
  const [offerId, setOfferId] = useState('')
  const offers = useAllOffers(product.id)
  const trial = useAdminAction({
    noun: 'products',
    send: (wanted: Trial) => tryTopup(product.id, wanted),
    done: t('admin.accountFields.tried'),
  })
  const fields = shownFields(form, language)
  const tryWith = (offer: string) =>
    trial.mutate({ account: sentAccount(fields, values), offerId: Number(offer) || undefined })
  const fill = (account: Account) => {
    trial.reset()
    setValues(account)
  }
  const account: AccountFormState = {
    fields,
    values,
    isFound: trial.isSuccess,
    playerName: trial.data?.data.player_name ?? '',
    isChecked: product.playerCheck !== 'none' && isSaved,
    isFinding: trial.isPending,
    kept: { accounts: [], forget: () => {} },
    readFault: (key) => {
      const field = fields.find((one) => one.key === key)
      const fault = refusedFields(trial.error)[key]
      return field && fault && faultText(t, field, fault)
    },
    change: (key, typed) => {
      const field = fields.find((one) => one.key === key)
      if (field) fill({ ...values, [key]: cleanValue(field, typed) })
    },
    leave: () => {},
    choose: fill,
    find: () => tryWith(''),
  }
  return (
    <section aria-labelledby={title}>
      <Surface p="lg">
        <Stack>
          <Group justify="space-between">
            <Title order={3} size="h5" id={title}>
              {t('admin.accountFields.preview')}
            </Title>
            <SegmentedControl
              size="xs"
              aria-label={t('admin.accountFields.language')}
              value={language}
              onChange={(next) => setLanguage(next as Language)}
              data={toOptions(languageNames, (name) => languageNames[name])}
            />
          </Group>
          <AccountForm slug={product.slug} account={account} />
          <NativeSelect
            label={t('admin.accountFields.offer')}
            description={t('admin.accountFields.offerHint')}
            value={offerId}
            onChange={(event) => setOfferId(event.currentTarget.value)}
            data={[
              { value: '', label: t('admin.accountFields.noOffer') },
              ...(offers.data ?? []).map((offer) => ({ value: String(offer.id), label: toOfferName(t, offer) })),
            ]}
          />
          <Button variant="default" loading={trial.isPending} disabled={!isSaved} onClick={() => tryWith(offerId)}>
            {t('admin.accountFields.try')}
          </Button>
          {!isSaved && (
            <Text size="sm" c="dimmed">
              {t('admin.accountFields.saveFirst')}
            </Text>
          )}
          <RefusalAlert text={trial.refusal} />
          {trial.data && trial.variables && (
            <Outcome tried={trial.data.data} product={product} isOrdered={trial.variables.offerId !== undefined} />
          )}
        </Stack>
      </Surface>
    </section>
  )
}

const tones = { done: 'green', pending: 'yellow', failed: 'red', rejected: 'red', unknown: 'yellow' } as const

interface OutcomeProps {
  tried: TriedTopup
  product: EditedProduct
  /** Whether a delivery was tried, too. */
  isOrdered: boolean
}

/** Says in words who the account belongs to, and what the sandbox made of the order. */
function Outcome({ tried, product, isOrdered }: OutcomeProps) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const { delivery, why } = tried
  const player =
    tried.player_name !== null
      ? t('admin.accountFields.player', { name: tried.player_name })
      : t(product.playerCheck === 'none' ? 'admin.accountFields.notLookedFor' : 'admin.accountFields.noName')
  const delivered = delivery ? t(`admin.accountFields.delivery.${delivery}`) : t('admin.accountFields.noSandbox')
  return (
    <Alert color={delivery ? tones[delivery] : 'green'} role="status" title={t('admin.accountFields.outcome')}>
      <Text size="sm">{t('admin.accountFields.accepted', { account: tried.account })}</Text>
      <Text size="sm">{player}</Text>
      {isOrdered && (
        <Text size="sm" fw={600}>
          {delivered}
          {why && ` (${reasonText(why)})`}
        </Text>
      )}
    </Alert>
  )
}
