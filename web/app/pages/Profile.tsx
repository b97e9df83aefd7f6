import { Button, Grid, Group, SimpleGrid, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Profile as Customer } from '@olmos/contract/accounts'
import { IconLogout, IconPlus, IconReceipt, IconTool } from '@tabler/icons-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { ChangeContact } from '../features/accounts/ChangeContact.tsx'
import { ChangePassword } from '../features/accounts/ChangePassword.tsx'
import { OwnSessions } from '../features/accounts/OwnSessions.tsx'
import { useLogOut } from '../features/accounts/profile.queries.ts'
import { FillBalance } from '../features/checkout/FillBalance.tsx'
import { useFillingTerms } from '../features/checkout/filling.queries.ts'
import { BalanceHistory } from '../features/wallet/BalanceHistory.tsx'
import { type BalanceAmounts, useBalance } from '../features/wallet/balance.queries.ts'
import { TopUpDialog } from '../features/wallet/TopUpDialog.tsx'
import { useLanguage } from '../i18n/use-language.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Amount } from '../money/Amount.tsx'
import { readCurrency, useCurrency, walletCurrencies } from '../money/currency.ts'
import { formatAmount } from '../money/format.ts'
import { paths } from '../paths.ts'
import { useProfile } from '../session/profile.ts'
import { Surface } from '../ui/Surface.tsx'
import { toastSuccess } from '../ui/toast.ts'
import { CustomerPage } from './CustomerPage.tsx'

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
      <Title order={1}>{t('profile.title')}</Title>
      <QueryFailed title={t('profile.failed')} query={query} />
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
  return (
    <>
      <Title order={1} mb="lg">
        {t('profile.greeting', { nickname: customer.nickname })}
      </Title>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Money isAdmin={customer.role === 'admin'} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Account customer={customer} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <BalanceHistory />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <ChangePassword
              nickname={customer.nickname}
              title={t('profile.changePassword')}
              currentLabel={t('profile.currentPassword')}
              onChanged={() => toastSuccess(t('profile.passwordChanged'))}
            />
            <ChangeContact contact={customer.contact} />
            <OwnSessions />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  )
}

function Money({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useTranslation()
  const { data: balances } = useBalance()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    // As high as what stands beside it.
    <Stack h="100%">
      <Balances balances={balances} />
      {isAdmin ? (
        <>
          <Button
            leftSection={<IconPlus size={18} />}
            aria-haspopup="dialog"
            onClick={open}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('topUp.title')}
          </Button>
          <TopUpDialog isOpen={isOpen} onClose={close} />
        </>
      ) : (
        <FillOrSoon />
      )}
    </Stack>
  )
}

/** The way to fill the balance, opened at once by a link that says how much; "soon" where the shop does not allow it. */
function FillOrSoon() {
  const { t } = useTranslation()
  const { data: terms, isPending } = useFillingTerms()
  const [address, setAddress] = useSearchParams()
  const shown = useCurrency()
  const asked = address.get('fill')
  const [isOpen, { open, close }] = useDisclosure(asked !== null)
  if (isPending) return null
  if (!terms?.isOn)
    return (
      <Text size="sm" c="dimmed">
        {t('profile.topUpSoon')}
      </Text>
    )
  const amount = Number(address.get('amount') ?? Number.NaN)
  const leave = () => {
    close()
    setAddress({}, { replace: true, preventScrollReset: true })
  }
  return (
    <>
      <Button
        leftSection={<IconPlus size={18} />}
        aria-haspopup="dialog"
        onClick={open}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('fill.title')}
      </Button>
      <FillBalance
        isOpen={isOpen}
        terms={terms}
        wanted={{
          currency: asked === null ? shown : readCurrency(asked),
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
      <Title order={1} pos="absolute">
        <VisuallyHidden>{t('profile.title')}</VisuallyHidden>
      </Title>
      <ProfileShapes />
    </>
  )
}

function ProfileShapes() {
  return (
    <div aria-hidden>
      <Skeleton h={36} w={260} mb="lg" radius={0} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <ShapedLines widths={[90, 150]} />
            <ShapedLines widths={[90, 150]} />
          </SimpleGrid>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <ShapedLines widths={[170, 120, 220, 250]} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <ShapedLines widths={[160, 260, 220, 240, 200, 230]} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <ShapedLines widths={[140, 250, 250, 250, 120]} />
        </Grid.Col>
      </Grid>
    </div>
  )
}

/** Stands in for a card: its surface, and a bar for each of its lines, so many pixels wide. */
const ShapedLines = ({ widths }: { widths: number[] }) => (
  <Surface>
    <Stack gap="md" py={4}>
      {widths.map((width, place) => (
        <Skeleton key={`${place}-${width}`} h={place === 0 ? 14 : 20} maw="100%" w={width} radius={0} />
      ))}
    </Stack>
  </Surface>
)

function Balances({ balances }: { balances: BalanceAmounts | undefined }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" flex={1}>
      {walletCurrencies.map((currency) => (
        <Surface key={currency}>
          <Text size="sm" c="dimmed">
            {t(currency === 'USD' ? 'profile.balanceUsd' : 'profile.balanceRub')}
          </Text>
          {balances ? (
            <Text fw={700} fz={26} lh={1.4}>
              <Amount value={balances[currency]} currency={currency} />
            </Text>
          ) : (
            <Skeleton h={28} w={140} mt={8} />
          )}
          {balances !== undefined && balances.reserved[currency] > 0 && (
            <Text size="sm" c="dimmed">
              {t('profile.reserved', { amount: formatAmount(balances.reserved[currency], currency, language) })}
            </Text>
          )}
        </Surface>
      ))}
    </SimpleGrid>
  )
}

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
