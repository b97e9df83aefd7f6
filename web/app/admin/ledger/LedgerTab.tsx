import { Alert, Box, Button, Flex, Group, List, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import type { LedgerProof, operationsApi } from '@olmos/contract/operations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastError } from '../../ui/toast.ts'
import { ExportButtons } from '../exports/ExportButtons.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { asAdmin, useAdminQuery } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'

const read = caller<typeof operationsApi.ledgerProof>('GET /admin/ledger/proof')
const prove = caller<typeof operationsApi.proveLedger>('POST /admin/ledger/proof')

/** Adds it up now; a shop with many orders takes its time. */
function useProveLedger() {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => asAdmin(client, prove({ body: {} })),
    retry: false,
    onSuccess: (proof) => client.setQueryData(queryKeys.admin.noun('ledger'), proof),
    onError: (error) => toastError(refusalText({ t, language }, error)),
  })
}

/** Shows whether the ledger and the invariants were sound at the last check, and starts the next one. */
export default function LedgerTab() {
  const query = useAdminQuery(queryKeys.admin.noun('ledger'), (signal) => read({}, { signal }))
  return (
    <Loaded query={query} height={420}>
      {(proof) => <Proof proof={proof} />}
    </Loaded>
  )
}

function Proof({ proof }: { proof: LedgerProof }) {
  const { t } = useTranslation()
  const proving = useProveLedger()
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">
          <Verdict isSound={proof.is_sound} />
          <Text size="sm" c="dimmed">
            {proof.proved_at ? (
              <>
                {t('admin.ledger.lastRun')} <Moment at={proof.proved_at} />
              </>
            ) : (
              t('admin.ledger.neverRun')
            )}
          </Text>
        </Group>
        <Group gap="sm" align="flex-end">
          <ExportedDays />
          <Allowed to="payments.write">
            <Button variant="default" loading={proving.isPending} onClick={() => proving.mutate()}>
              {t('admin.ledger.again')}
            </Button>
          </Allowed>
        </Group>
      </Group>
      {proof.proved_at && <Sums proof={proof} />}
      <FirstBroken broken={proof.first_broken_transfer} />
      <Invariants invariants={proof.invariants} />
    </Stack>
  )
}

const dayNames = ['from', 'to'] as const

/** Downloads the ledger: all of it, or that of some days in the shop's time zone. */
function ExportedDays() {
  const { t } = useTranslation()
  const [days, setDays] = useState({ from: '', to: '' })
  const given = Object.fromEntries(Object.entries(days).filter(([, day]) => day !== ''))
  return (
    <>
      <Allowed to="exports.read">
        {dayNames.map((name) => (
          <TextInput
            key={name}
            type="date"
            label={t(`admin.audit.${name}`)}
            value={days[name]}
            onChange={({ currentTarget }) => setDays({ ...days, [name]: currentTarget.value })}
          />
        ))}
      </Allowed>
      <ExportButtons what="ledger" narrowed={{ days: given }} />
    </>
  )
}

function Verdict({ isSound }: { isSound: boolean | null }) {
  const { t } = useTranslation()
  if (isSound === null) return <StatusBadge tone="wait" text={t('admin.ledger.notYet')} />
  return (
    <StatusBadge tone={isSound ? 'good' : 'bad'} text={t(isSound ? 'admin.ledger.sound' : 'admin.ledger.broken')} />
  )
}

const currencies = ['USD', 'RUB'] as const

function Sums({ proof }: { proof: LedgerProof }) {
  const { t } = useTranslation()
  const kinds = [...new Set(proof.accounts.map((account) => account.kind))]
  const readBalance = (kind: string, currency: string) =>
    proof.accounts.find((account) => account.kind === kind && account.currency === currency)?.balance ?? 0
  return (
    <Surface>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('admin.ledger.account')}</Table.Th>
            {currencies.map((currency) => (
              <Table.Th key={currency} ta="right">
                {currency}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kinds.map((kind) => (
            <Table.Tr key={kind}>
              <Table.Td>{t(`admin.ledger.accounts.${kind}`, { defaultValue: '' }) || kind}</Table.Td>
              {currencies.map((currency) => (
                <Table.Td key={currency} ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <Amount value={readBalance(kind, currency)} currency={currency} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>{t('admin.ledger.sum')}</Table.Th>
            {proof.sums.map(({ currency, sum }) => (
              <Table.Th key={currency} ta="right" c={sum === 0 ? 'var(--olmos-good)' : 'var(--olmos-bad)'}>
                <Amount value={sum} currency={currency} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
      <Text size="sm" c="dimmed" mt="sm">
        {t('admin.ledger.sumHint')}
      </Text>
    </Surface>
  )
}

function FirstBroken({ broken }: { broken: LedgerProof['first_broken_transfer'] }) {
  const { t } = useTranslation()
  if (!broken) return null
  return (
    <Alert color="red" role="alert" title={t('admin.ledger.firstBroken', { id: broken.id })}>
      <Title order={3} size="h5">
        {broken.kind} · <Amount value={broken.amount} currency={broken.currency} /> · <Moment at={broken.created_at} />
      </Title>
      <Text size="sm">
        {t('admin.ledger.says')} <Amount value={broken.balance_after} currency={broken.currency} />,{' '}
        {t('admin.ledger.shouldBe')} <Amount value={broken.balance_expected} currency={broken.currency} />
      </Text>
    </Alert>
  )
}

type Invariant = LedgerProof['invariants'][number]

/** What is always true, and whether it was at the last look. */
function Invariants({ invariants }: { invariants: Invariant[] }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="invariants">
      <Title order={2} size="h4" id="invariants" mb="sm">
        {t('admin.ledger.invariants')}
      </Title>
      <Surface>
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {invariants.map((invariant) => (
            <Flex
              key={invariant.number}
              component="li"
              direction={{ base: 'column', sm: 'row' }}
              justify="space-between"
              align="flex-start"
              gap="xs"
            >
              <div>
                <Text size="sm">
                  {invariant.number}. {t(`admin.ledger.rule.${invariant.name}`)}
                </Text>
                {invariant.sample.length > 0 && (
                  <List size="sm">
                    {invariant.sample.map((offender) => (
                      <List.Item key={offender}>{offender}</List.Item>
                    ))}
                  </List>
                )}
              </div>
              <Box flex="none" maw="50%">
                <RuleVerdict offenders={invariant.offenders} />
              </Box>
            </Flex>
          ))}
        </Stack>
      </Surface>
    </section>
  )
}

function RuleVerdict({ offenders }: { offenders: Invariant['offenders'] }) {
  const { t } = useTranslation()
  if (offenders === null) return <StatusBadge tone="wait" text={t('admin.ledger.notYet')} />
  if (offenders === 0) return <StatusBadge tone="good" text={t('admin.ledger.holds')} />
  return <StatusBadge tone="bad" text={t('admin.ledger.offenders', { count: offenders })} />
}
