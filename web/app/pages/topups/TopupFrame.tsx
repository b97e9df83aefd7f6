import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { AccountForm } from '../../features/topups/AccountForm.tsx'
import { sentAccount, shownAccount } from '../../features/topups/account.ts'
import type { CheckoutTopup } from '../../features/topups/checkout-topup.ts'
import type { useDraft } from '../../features/topups/draft.ts'
import type { TopupRules } from '../../features/topups/rules.queries.ts'
import { specifiedTopups } from '../../features/topups/specified-topups.ts'
import styles from '../../features/topups/topups.module.css'
import { type AccountState, useAccount } from '../../features/topups/use-account.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { withinText } from '../../i18n/within-text.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
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
  /** They say when it arrives. */
  isTimingNoted?: boolean
  /** The lines of the summary about what is bought, and whether they say more than the bar at the thumb does. */
  lines: ReactNode
  hasMoreLines?: boolean
  /** What it comes to; nothing chosen is zero. */
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
  const { product, rules, draft, title, children, help, notes, lines, hasMoreLines = false, chosen, pay = {} } = props
  const { isTimingNoted = false } = props
  const { t } = useTranslation()
  const account = useAccount(product.slug, rules, draft)
  const tab = useActivationTab()
  const { press, isDisabled, hint } = usePress(props, account)
  const within = withinText(t, rules.promised_minutes)
  const specified = specifiedTopups[product.slug]
  const accountForm = <AccountForm slug={product.slug} account={account} help={help} />
  const steps = (
    <>
      <Step number={1} title={t('topups.whoGetsIt')}>
        {accountForm}
      </Step>
      <Step number={2} title={title}>
        {children}
      </Step>
    </>
  )
  const isActivating = specified?.activatesCodes && tab.current === 'activate'
  return (
    <ProductFrame
      product={product}
      promised={rules.promised_minutes}
      isTimingNoted={isTimingNoted}
      {...(!isActivating && {
        summary: (
          <TopupSummary isRepeated={!hasMoreLines}>
            {account.text !== '' && (
              <SummaryLine name={t('topups.forWhom')}>
                <span translate="no">{account.text}</span>
              </SummaryLine>
            )}
            {lines}
          </TopupSummary>
        ),
        action: (
          <>
            <div className={styles.bar}>
              <div>
                <div className={styles.what}>{chosen?.offer_name || t('checkout.total')}</div>
                <div className={styles.whom}>
                  {hint || <span translate="no">{account.text}</span>} · {within}
                </div>
              </div>
              <div aria-live="polite">{props.total || <ZeroTotal />}</div>
            </div>
            <Button
              size="md"
              fullWidth
              className={frame.action}
              data-unready={(pay.isDisabledUntilFilled !== false && hint !== false) || undefined}
              loading={account.isBecomingReady || pay.isBusy === true}
              disabled={isDisabled}
              onClick={press}
            >
              {pay.label ?? t('topups.topUpNow')}
            </Button>
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
        color: product.color,
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
    if (!account.isValid) account.showFaults()
    else if (!chosen) focusOnOffers()
    if (!account.isValid && !specifiedTopups[product.slug]) return
    const isToBeFound = pay.isFoundFirst && isUnfound && !account.isFolded
    if (!chosen || !account.isValid || isToBeFound) return toastWarning(missingText)
    account.makeReady(proceed)
  }

  const nextStep = () => {
    if (!account.isValid) return t(account.isPlayerId ? 'topups.enterId' : 'topups.fillAccount')
    if (isUnfound && !account.isFolded) return t('topups.pressFind')
    return !chosen && t('product.choosePackage')
  }

  return {
    press,
    isDisabled: pay.isDisabledUntilFilled === true && !(chosen && account.isValid),
    /** What is still to be done before one can pay, the first of it. */
    hint: pay.isWanted === undefined ? nextStep() : !(pay.isWanted && account.isValid) && missingText,
  }
}

/** Where a package is chosen. */
const focusOnOffers = () =>
  document.querySelector<HTMLElement>('[data-offers] button:not(:disabled), input[inputmode=decimal]')?.focus()

function ZeroTotal() {
  const { shown } = useConversion()
  return (
    <Text fw={700} size="lg" c="dimmed">
      <Amount value={0} currency={shown} />
    </Text>
  )
}

interface TopupSummaryProps {
  /** Whether a phone's bar says the same. */
  isRepeated: boolean
  children: ReactNode
}

/** What is bought, line by line, and for whom. */
function TopupSummary({ isRepeated, children }: TopupSummaryProps) {
  const { t } = useTranslation()
  return (
    <Surface radius={0} bd={0} {...(isRepeated && { className: styles.repeated })}>
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
