import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Profile as Customer } from '@olmos/contract/accounts'
import { IconLogout, IconPlus, IconReceipt, IconTool } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useAddress } from '../address.ts'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { ChangeContact } from '../features/accounts/ChangeContact.tsx'
import { ChangePassword } from '../features/accounts/ChangePassword.tsx'
import { OwnNotifications } from '../features/accounts/OwnNotifications.tsx'
import { OwnSessions } from '../features/accounts/OwnSessions.tsx'
import { useLogOut } from '../features/accounts/profile.queries.ts'
import { FillBalance } from '../features/checkout/FillBalance.tsx'
import { useFillingTerms } from '../features/checkout/filling.queries.ts'
import { OwnTalks } from '../features/support/OwnTalks.tsx'
import { BalanceHistory } from '../features/wallet/BalanceHistory.tsx'
import { type BalanceAmounts, useBalance } from '../features/wallet/balance.queries.ts'
import { toOpenCurrencies } from '../features/wallet/open-currencies.ts'
import { TopUpDialog } from '../features/wallet/TopUpDialog.tsx'
import { useLanguage } from '../i18n/use-language.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Amount } from '../money/Amount.tsx'
import { useConversion } from '../money/conversion.ts'
import { useCurrency } from '../money/currency.ts'
import { formatAmount } from '../money/format.ts'
import { paths } from '../paths.ts'
import { useProfile } from '../session/profile.ts'
import { Surface } from '../ui/Surface.tsx'
import { toastSuccess } from '../ui/toast.ts'
import { CustomerPage } from './CustomerPage.tsx'
import classes from './Profile.module.css'

export default function Profile() {
  const { t } = useTranslation()
  return (
    <CustomerPage title={t('profile.title')} hasHeading={false} skeleton={<ProfileSkeleton />}>
      <Contents />
    </CustomerPage>
  )
}

function Contents() {
  const { t } = useTranslation()
  const query = useProfile()
  const failed = (
    <>
      <h1>{t('profile.title')}</h1>
      <QueryFailed title={t('profile.failed')} query={query} look="page" />
    </>
  )
  return (
    <QueryView query={query} skeleton={<ProfileSkeleton />} failed={failed}>
      {(customer) => <Sections customer={customer} />}
    </QueryView>
  )
}

function Sections({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  const balance = useBalance()
  const [passwordChanges, setPasswordChanges] = useState(0)
  const isLost = balance.isError && balance.data === undefined
  return (
    <>
      <h1 className={classes.greeting}>{t('profile.greeting', { nickname: customer.nickname })}</h1>
      <div className={classes.columns}>
        <section className={`cut ${classes.money} ${classes.wallet}`}>
          {isLost ? (
            <QueryFailed look="line" title={t('profile.balanceFailed')} query={balance} />
          ) : (
            <Balances balances={balance.data} />
          )}
          <div className={classes.fill}>{customer.role === 'admin' ? <FillByAdmin /> : <FillOrSoon />}</div>
        </section>
        <div className={classes.account}>
          <Account customer={customer} />
        </div>
        <div className={classes.history}>
          <BalanceHistory />
        </div>
        <div className={classes.safety}>
          <OwnTalks />
          <ChangePassword
            nickname={customer.nickname}
            title={t('profile.changePassword')}
            currentLabel={t('profile.currentPassword')}
            onChanged={() => {
              toastSuccess(t('profile.passwordChanged'))
              setPasswordChanges((before) => before + 1)
            }}
          />
          <ChangeContact contact={customer.contact} />
          {/* A new password ends a link to the bot that is shown there. */}
          <OwnNotifications key={passwordChanges} />
          <OwnSessions />
        </div>
      </div>
    </>
  )
}

function FillByAdmin() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} aria-haspopup="dialog" onClick={open}>
        {t('topUp.title')}
      </Button>
      <TopUpDialog isOpen={isOpen} onClose={close} />
    </>
  )
}

/** The way to fill the balance, opened at once by a link that says how much; "soon" where the shop does not allow it. */
function FillOrSoon() {
  const { t } = useTranslation()
  const { data: terms, isPending } = useFillingTerms()
  const balance = useBalance()
  const { choices } = useConversion()
  const [address, change] = useAddress()
  const shown = useCurrency()
  const asked = address.get('fill')
  const [isOpen, { open, close }] = useDisclosure(asked !== null)
  // In which currencies it may be filled depends on what is left in the balance.
  if (isPending || balance.isPending) return null
  if (!terms?.isOn) return <p className={classes.soon}>{t('profile.topUpSoon')}</p>
  const currencies = toOpenCurrencies(choices, balance.data)
  const amount = Number(address.get('amount') ?? Number.NaN)
  const leave = () => {
    close()
    change({ fill: undefined, amount: undefined })
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} aria-haspopup="dialog" onClick={open}>
        {t('fill.title')}
      </Button>
      <FillBalance
        isOpen={isOpen}
        terms={terms}
        currencies={currencies}
        wanted={{
          currency: currencies.find((one) => one === asked) ?? shown,
          amount: Number.isFinite(amount) ? amount : undefined,
        }}
        onClose={leave}
      />
    </>
  )
}

function Account({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const logOut = useLogOut(() => navigate(paths.home))
  return (
    <Surface>
      <Stack gap="md">
        <div>
          <Text>
            {t('login.nickname')}: <b>{customer.nickname}</b>
          </Text>
          <Text c="dimmed">{t('profile.id', { id: customer.id })}</Text>
        </div>
        <PurchaseStatus status={customer.purchase_status} />
        <Group gap="sm">
          <Button component={Link} to={paths.orders} variant="default" leftSection={<IconReceipt size={18} />}>
            {t('profile.orders')}
          </Button>
          {customer.role === 'admin' && (
            <Button component={Link} to={paths.admin()} variant="default" leftSection={<IconTool size={18} />}>
              {t('profile.admin')}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconLogout size={18} />}
            loading={logOut.isPending}
            onClick={() => logOut.mutate()}
          >
            {t('profile.logOut')}
          </Button>
        </Group>
      </Stack>
    </Surface>
  )
}

function ProfileSkeleton() {
  const { t } = useTranslation()
  return (
    <>
      <h1 className="visually-hidden">{t('profile.title')}</h1>
      <ProfileShapes />
    </>
  )
}

function ProfileShapes() {
  return (
    <div aria-hidden>
      <Skeleton h={36} w={260} maw="100%" mt={4} mb={20} radius={0} />
      <div className={classes.columns}>
        <div className={`cut ${classes.money} ${classes.wallet}`}>
          <Balances />
          <div className={classes.fill}>
            <Skeleton h={18} w={220} radius={0} />
          </div>
        </div>
        <div className={classes.account}>
          <ShapedLines heights={[20, 20, 22, 44]} />
        </div>
        <div className={classes.history}>
          <ShapedLines heights={[22, 44, 44, 44, 44, 44]} />
        </div>
        <div className={classes.safety}>
          <ShapedLines heights={[22, 60, 80, 60, 44]} />
          <ShapedLines heights={[22, 20, 44]} />
          <ShapedLines heights={[22, 90]} />
        </div>
      </div>
    </div>
  )
}

/** Stands in for a card: its surface, and a bar for each of its lines, so many pixels high. */
const ShapedLines = ({ heights }: { heights: number[] }) => (
  <Surface>
    <div className={classes.shapes}>
      {heights.map((height, place) => (
        <Skeleton key={`${place}-${height}`} h={height} maw="100%" w={place % 2 === 0 ? '60%' : '85%'} radius={0} />
      ))}
    </div>
  </Surface>
)

function Balances({ balances }: { balances?: BalanceAmounts | undefined }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { choices } = useConversion()
  return (
    <dl className={classes.balances}>
      {toOpenCurrencies(choices, balances).map((currency) => (
        <div key={currency}>
          <dt>{t(currency === 'USD' ? 'profile.balanceUsd' : 'profile.balanceRub')}</dt>
          <dd className={classes.amount}>
            {balances ? <Amount value={balances[currency]} currency={currency} /> : <Shape />}
          </dd>
          {balances !== undefined && balances.reserved[currency] > 0 && (
            <dd className={classes.reserved}>
              {t('profile.reserved', { amount: formatAmount(balances.reserved[currency], currency, language) })}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** As high as the amount that comes. */
const Shape = () => <Skeleton component="span" display="inline-block" h="0.8em" w="6em" maw="100%" radius={0} />

/** How far it is to being a regular buyer, in words: a bar would promise that something waits at its end. */
function PurchaseStatus({ status }: { status: Customer['purchase_status'] }) {
  const { t } = useTranslation()
  const { current, total } = status
  return (
    <Group gap={8}>
      <Text fw={600}>{t(status.key === 'regular_buyer' ? 'profile.regularBuyer' : 'profile.newBuyer')}</Text>
      <Text size="sm" c="dimmed">
        {t('profile.progress', { current, total })}
      </Text>
    </Group>
  )
}
