import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { AccountForm } from '../../features/topups/AccountForm.tsx'
import { sentAccount, shownAccount } from '../../features/topups/account.ts'
import type { CheckoutTopup } from '../../features/topups/checkout-topup.ts'
import type { useDraft } from '../../features/topups/draft.ts'
import { specifiedTopups } from '../../features/topups/specified-topups.ts'
import type { TopupRules } from '../../features/topups/topups.queries.ts'
import { type AccountState, useAccount } from '../../features/topups/use-account.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { lowerCode, useCurrency } from '../../money/currency.ts'
import { paths } from '../../paths.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { Step } from '../../ui/Step.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastWarning } from '../../ui/toast.ts'
import frame from '../product/ProductFrame.module.css'
import { ProductFrame } from '../product/ProductFrame.tsx'
import { ActivationTabs, useActivationTab } from './ActivationTabs.tsx'

/** What the checkout has to know about what is bought, besides whom it is for. */
export type Chosen = Pick<CheckoutTopup['topupData'], 'offers' | 'amount' | 'offer_name' | 'price_usd' | 'price_rub'> &
  Partial<Pick<CheckoutTopup['topupData'], 'input_currency' | 'commission'>>

interface TopupFrameProps {
  product: Product
  rules: TopupRules
  draft: ReturnType<typeof useDraft>
  /** Asks what is bought. */
  title: string
  children: ReactNode
  /** Stands below the fields of the account, and below the steps. */
  help?: ReactNode
  notes?: ReactNode
  /** The lines of the summary about what is bought. */
  lines: ReactNode
  total: ReactNode
  /** Undefined until it can be paid for. */
  chosen: Chosen | undefined
  /** What the button says when something is missing. */
  missingText: string
  pay?: PayOptions
}

interface PayOptions {
  label?: string
  /** What a visitor is told who presses the button. */
  loginText?: string
  /** Whether it was said what is wanted, while its price may still be on its way. */
  isWanted?: boolean
  isBusy?: boolean
  /** The button can't be pressed until everything is filled in. */
  isDisabledUntilFilled?: boolean
  /** A player that is required has to be found before the button is pressed, instead of by it. */
  isFoundFirst?: boolean
  /** Settles what is bought, when the button was pressed. */
  settle?(onSettled: (chosen: Chosen) => void): void
}

/** What the pages of top-ups have in common, however they are priced: whose account, the summary, the way to the checkout. */
export function TopupFrame(props: TopupFrameProps) {
  const { product, rules, draft, title, children, help, notes, lines, total, pay = {} } = props
  const { t } = useTranslation()
  const account = useAccount(product.slug, rules, draft)
  const tab = useActivationTab()
  const { press, isDisabled, hint } = usePress(props, account)
  const specified = specifiedTopups[product.slug]
  const accountForm = <AccountForm slug={product.slug} account={account} help={help} />
  const whose = (number: number) => (
    <Step key="whose" number={number} title={t('topups.whoGetsIt')}>
      {accountForm}
    </Step>
  )
  const what = (number: number) => (
    <Step key="what" number={number} title={title}>
      {children}
    </Step>
  )
  const steps = specified?.isOfferFirst ? [what(1), whose(2)] : [whose(1), what(2)]
  const isActivating = specified?.activatesCodes && tab.current === 'activate'
  return (
    <ProductFrame
      product={product}
      {...(!isActivating && {
        summary: (
          <TopupSummary>
            {specified?.isOfferFirst && lines}
            {account.text !== '' && (
              <SummaryLine name={t('topups.forWhom')}>
                <span translate="no">{account.text}</span>
              </SummaryLine>
            )}
            {!specified?.isOfferFirst && lines}
            {!specified && (
              <SummaryLine name={t('topups.steam.timing')}>{withinText(t, rules.promised_minutes)}</SummaryLine>
            )}
          </TopupSummary>
        ),
        action: (
          <>
            <Group justify="space-between" align="baseline" gap="xs" wrap="nowrap" mb="xs" aria-live="polite">
              <Text c="dimmed" size="sm">
                {t('checkout.total')}
              </Text>
              {total}
            </Group>
            <Button
              size="md"
              fullWidth
              className={frame.action}
              loading={account.isBecomingReady || pay.isBusy === true}
              disabled={isDisabled}
              onClick={press}
            >
              {pay.label ?? t('topups.topUpNow')}
            </Button>
            {hint && (
              <Text size="sm" c="dimmed" mt={6} ta="center">
                {hint}
              </Text>
            )}
          </>
        ),
      })}
    >
      {specified?.activatesCodes ? (
        <ActivationTabs
          tab={tab}
          topUp={steps}
          accountForm={accountForm}
          playerId={account.values.player_id ?? ''}
          onActivated={account.clear}
        />
      ) : (
        steps
      )}
      {notes}
    </ProductFrame>
  )
}

/** Off to the checkout. */
function usePress({ product, rules, chosen, missingText, pay = {} }: TopupFrameProps, account: AccountState) {
  const { t } = useTranslation()
  const currency = lowerCode(useCurrency())
  const requireLogin = useLoginGate()
  const navigate = useNavigate()
  const isUnfound = rules.player_check === 'required' && !account.isFound
  const settle = pay.settle ?? ((onSettled) => chosen && onSettled(chosen))

  const proceed = (playerName: string) =>
    settle((settled) => {
      if (!account.isFound) account.kept.keep({ account: account.values, name: playerName })
      const state: CheckoutTopup = {
        title: product.title,
        playerName,
        account: shownAccount(rules.fields, account.values),
        topupData: {
          service: product.slug,
          account: { ...sentAccount(rules.fields, account.values) },
          input_currency: currency,
          currency,
          commission: 0,
          image_url: product.image_url,
          ...settled,
        },
      }
      navigate(paths.checkout, { state })
    })

  const press = () => {
    if (!requireLogin(pay.loginText ?? t('topups.loginRequired'))) return
    const isToBeFilled = !account.isValid && !specifiedTopups[product.slug]
    if (isToBeFilled) return account.showFaults()
    if (!chosen || !account.isValid || (pay.isFoundFirst && isUnfound)) return toastWarning(missingText)
    account.makeReady(proceed)
  }

  const nextStep = () => {
    const isPlayerId = account.isPlayerId
    const toFill = !account.isValid && t(isPlayerId ? 'topups.enterId' : 'topups.fillAccount')
    const toFind = isUnfound && !account.isFolded && t('topups.pressFind')
    const toChoose = !chosen && t('product.choosePackage')
    return specifiedTopups[product.slug]?.isOfferFirst ? toChoose || toFill || toFind : toFill || toFind || toChoose
  }

  return {
    press,
    isDisabled: pay.isDisabledUntilFilled === true && !(chosen && account.isValid),
    /** What is still to be done before one can pay, the first of it. */
    hint: pay.isWanted === undefined ? nextStep() : !(pay.isWanted && account.isValid) && missingText,
  }
}

/** What is bought, line by line, and for whom. */
function TopupSummary({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Surface>
      <Title order={2} size="h4" mb="sm">
        {t('topups.summary')}
      </Title>
      <Stack gap="xs">{children}</Stack>
    </Surface>
  )
}

export function SummaryLine({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <Group justify="space-between" align="baseline" wrap="nowrap" gap="md">
      <Text c="dimmed">{name}</Text>
      <Text component="div" ta="end" fw={600} miw={0}>
        {children}
      </Text>
    </Group>
  )
}

const minutesInWords = 120

/** Within how long a top-up is promised: in hours, once they are easier to grasp. */
const withinText = (t: TFunction, minutes: number): string =>
  minutes < minutesInWords
    ? t('topups.withinMinutes', { count: minutes })
    : t('topups.withinHours', { count: Math.ceil(minutes / 60) })
