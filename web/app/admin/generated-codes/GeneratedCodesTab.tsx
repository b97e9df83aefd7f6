import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { GeneratedCode } from '@olmos/contract/generated-codes'
import { IconCopy, IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { Ago } from '../../i18n/Ago.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { BatchLink } from '../codes/BatchLink.tsx'
import { CodeStatusBadge, useCodeStatusOptions } from '../codes/CodeStatusBadge.tsx'
import { SoldTo } from '../codes/SoldTo.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { type ListSelect, toIdOptions } from '../list/FilterSelect.tsx'
import type { ListView } from '../list/use-list-view.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { CopyDialog } from './CopyDialog.tsx'
import { GenerateForm } from './GenerateForm.tsx'
import { publishBatch, useGeneratedCodes, useGeneratedSwitch, useGenerationChoices } from './generated-codes.queries.ts'

export default function GeneratedCodesTab() {
  const { t } = useTranslation()
  const list = useGeneratedCodes()
  const [isGenerating, setGenerating] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const batch = Number(list.view.filter('batch'))

  return (
    <>
      {batch > 0 && <BatchBar batch={batch} view={list.view} />}
      <AdminTable
        list={list}
        columns={useGeneratedColumns()}
        searchLabel={t('admin.generated.search')}
        empty={t('admin.generated.empty')}
        selects={useGeneratedSelects()}
        head={
          <>
            <Allowed to="codes.reveal">
              <Button variant="default" leftSection={<IconCopy size={18} />} onClick={() => setCopying(true)}>
                {t('admin.generated.copyAll')}
              </Button>
            </Allowed>
            <Allowed to="stock.write">
              <Button leftSection={<IconSparkles size={18} />} onClick={() => setGenerating(true)}>
                {t('admin.generated.generate')}
              </Button>
            </Allowed>
          </>
        }
      />
      {isGenerating && (
        <GenerateForm
          onClose={() => setGenerating(false)}
          onMade={(made) => {
            setGenerating(false)
            list.view.clear()
            list.view.change({ batch: made })
          }}
        />
      )}
      {isCopying && (
        <CopyDialog view={list.view} count={list.query.data?.total ?? 0} onClose={() => setCopying(false)} />
      )}
    </>
  )
}

/** Whether a code is not for sale any more, so that no switch of it does anything. */
const isSettled = ({ status }: GeneratedCode) => status !== 'available'

function useGeneratedColumns(): Column<GeneratedCode>[] {
  const { t } = useTranslation()
  const turn = useGeneratedSwitch()
  return [
    {
      title: t('admin.codes.code'),
      sort: 'id',
      isHead: true,
      isInline: true,
      cell: (code) => (
        <>
          <Text span display="block" ff="monospace" fw={600} translate="no">
            {code.code}
          </Text>
          <BatchLink tab="generatedCodes" batch={code.batch_id} />
        </>
      ),
    },
    columns.withNote(
      { title: t('admin.generated.denomination'), sort: 'game_amount', isBare: true, isInline: true },
      (code) => <GameAmount amount={code.game_amount} currency={code.game_currency} />,
      (code) => code.product_title,
    ),
    columns.prices({ title: t('admin.generated.price'), isBare: true, isInline: true }),
    {
      title: t('admin.generated.status'),
      sort: 'status',
      isState: true,
      cell: (code) => (
        <>
          <CodeStatusBadge status={code.status} />
          {code.order_id && <SoldTo orderId={code.order_id} nickname={code.nickname} />}
        </>
      ),
    },
    columns.toggle(
      { title: t('admin.generated.published'), isEmpty: isSettled },
      {
        permission: 'stock.write',
        label: ({ code }) => t('admin.generated.publishedOf', { code }),
        isOn: ({ published }) => published,
        isDisabled: isSettled,
        onTurn: (row, published) => turn.mutate({ row, change: { published } }),
      },
    ),
    columns.toggle(
      { title: t('admin.generated.popular'), isEmpty: isSettled },
      {
        permission: 'stock.write',
        label: ({ code }) => t('admin.generated.popularOf', { code }),
        isOn: ({ popular }) => popular,
        onTurn: (row, popular) => turn.mutate({ row, change: { popular } }),
      },
    ),
    {
      title: t('admin.generated.activated'),
      cell: ({ activated_at, activation }) =>
        activated_at && activation ? (
          <>
            <Ago at={activated_at} />
            <Text size="xs" c="dimmed">
              {t('admin.generated.activatedBy', {
                nickname: activation.nickname,
                player: `${activation.player_name ?? ''} ${activation.player_id}`.trim(),
                order: activation.order_id,
              })}
            </Text>
          </>
        ) : (
          '—'
        ),
    },
    { ...columns.created(t), isSecondary: true },
  ]
}

function useGeneratedSelects(): ListSelect[] {
  const { t } = useTranslation()
  const statuses = useCodeStatusOptions(['available', 'reserved', 'used', 'quarantined', 'archived'])
  const { data } = useGenerationChoices()
  const yesNo = [
    { value: 'true', label: t('admin.generated.yes') },
    { value: 'false', label: t('admin.generated.no') },
  ]
  return [
    {
      name: 'denominationId',
      label: t('admin.generated.denomination'),
      options: toIdOptions(data?.denominations),
    },
    { name: 'status', label: t('admin.generated.status'), options: statuses },
    { name: 'published', label: t('admin.generated.published'), options: yesNo },
    { name: 'activated', label: t('admin.generated.activated'), options: yesNo },
  ]
}

/** Puts the whole batch that the list is filtered by on sale, or takes it off. */
function BatchBar({ batch, view }: { batch: number; view: ListView }) {
  const { t } = useTranslation()
  const publish = useAdminAction({ noun: 'generatedCodes', send: publishBatch, done: t('admin.form.saved') })
  return (
    <Alert mb="md" color="gray" title={t('admin.generated.batch', { batch })}>
      <Stack gap="sm">
        <Text size="sm">{t('admin.generated.batchHint')}</Text>
        <RefusalAlert text={publish.refusal} />
        <Group gap="sm">
          <Allowed to="stock.write">
            <Button size="xs" loading={publish.isPending} onClick={() => publish.mutate({ batch, published: true })}>
              {t('admin.generated.publishBatch')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={publish.isPending}
              onClick={() => publish.mutate({ batch, published: false })}
            >
              {t('admin.generated.withdrawBatch')}
            </Button>
          </Allowed>
          <Button size="xs" variant="subtle" color="gray" onClick={() => view.change({ batch: undefined })}>
            {t('admin.list.clear')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
