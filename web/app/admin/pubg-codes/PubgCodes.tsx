import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import type { PubgDenomination } from '@olmos/contract/denominations'
import type { PubgCode } from '@olmos/contract/pubg-codes'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { BatchFilter } from '../codes/BatchFilter.tsx'
import { BatchLink } from '../codes/BatchLink.tsx'
import { CodeStatusBadge, useCodeStatusOptions } from '../codes/CodeStatusBadge.tsx'
import { SoldTo } from '../codes/SoldTo.tsx'
import { useAllPubgDenominations } from '../denominations/denominations.queries.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { PoolImport } from './PoolImport.tsx'
import { changePubgCode, removePubgCode, usePubgCodes } from './pubg-codes.queries.ts'

const kept: readonly PubgCode['status'][] = ['used', 'reserved', 'quarantined']

/** Whether it may be edited: what was spent or recalled stays as it is. */
const isFree = ({ status }: PubgCode) => !kept.includes(status)

export function PubgCodes() {
  const { t } = useTranslation()
  const list = usePubgCodes()
  const denominations = useAllPubgDenominations()
  const statuses = useCodeStatusOptions(['available', 'reserved', 'used', 'error', 'quarantined', 'archived'])
  const [edited, setEdited] = useState<PubgCode>()
  const [removed, setRemoved] = useState<PubgCode>()
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      <AdminTable
        list={list}
        columns={usePoolColumns()}
        onOpen={(code) => isFree(code) && setEdited(code)}
        searchLabel={t('admin.generated.search')}
        empty={t('admin.pool.empty')}
        selects={[
          {
            name: 'denominationId',
            label: t('admin.generated.denomination'),
            options: (denominations.data ?? []).map((row) => ({
              value: String(row.id),
              label: gameAmountText(t, row.uc_amount, 'UC'),
            })),
          },
          { name: 'status', label: t('admin.generated.status'), options: statuses },
        ]}
        filters={<BatchFilter view={list.view} />}
        head={
          <Allowed to="stock.write">
            <Button leftSection={<IconPlus size={18} />} onClick={() => setImporting(true)}>
              {t('admin.pool.add')}
            </Button>
          </Allowed>
        }
        actions={(code) =>
          isFree(code) && (
            <Allowed to="stock.write">
              <RowButtons name={code.code} onEdit={() => setEdited(code)} onRemove={() => setRemoved(code)} />
            </Allowed>
          )
        }
      />
      {isImporting && <PoolImport denominations={denominations} onClose={() => setImporting(false)} />}
      {edited && (
        <PubgCodeForm code={edited} denominations={denominations.data ?? []} onClose={() => setEdited(undefined)} />
      )}
      {removed && <RemovePubgCode code={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function usePoolColumns(): Column<PubgCode>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('admin.codes.code'),
      sort: 'id',
      isHead: true,
      cell: (code) => (
        <>
          <Text span display="block" ff="monospace" fw={600} translate="no">
            {code.code}
          </Text>
          <Text size="xs" c="dimmed">
            {t('admin.codes.number', { id: code.id })} <BatchLink tab="pubgCodes" batch={code.batch_id} />
          </Text>
        </>
      ),
    },
    columns.gameAmount({ title: t('admin.denominations.uc'), sort: 'uc_amount' }, (code) => [code.uc_amount, 'UC']),
    columns.prices({ title: t('admin.generated.price') }),
    {
      title: t('admin.generated.status'),
      sort: 'status',
      isState: true,
      cell: (code) => <CodeStatusBadge status={code.status} />,
    },
    {
      title: t('admin.orders.order'),
      cell: (code) => (code.order_id ? <SoldTo orderId={code.order_id} nickname={code.nickname} /> : '—'),
    },
    columns.created(t),
  ]
}

function RemovePubgCode({ code, onClose }: { code: PubgCode; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ActionDialog
      title={t('admin.pool.removeTitle', { code: code.code })}
      noun="pubgCodes"
      send={() => removePubgCode(code)}
      onClose={onClose}
    >
      <Text>{t('admin.pool.removeText')}</Text>
    </ActionDialog>
  )
}

interface Values extends Record<string, unknown> {
  code: string
  /** The masked code the operator saw; a different one means that somebody replaced it. */
  mask: string
  denomination_id: string
  status: string
}

const editableStatuses = ['available', 'error', 'archived'] as const

interface PubgCodeFormProps {
  code: PubgCode
  denominations: readonly PubgDenomination[]
  onClose(): void
}

/** The code itself is not shown: it stays as it is unless another one is typed. */
export function PubgCodeForm({ code, denominations, onClose }: PubgCodeFormProps) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<Values, PubgCode>({
    noun: 'pubgCodes',
    row: code,
    toValues: (row) => ({
      code: '',
      mask: row?.code ?? '',
      denomination_id: String(row?.denomination_id ?? ''),
      status: row?.status ?? 'available',
    }),
    send: (values, _version, seen = code) =>
      changePubgCode(seen, {
        denomination_id: Number(values.denomination_id),
        status: editableStatuses.find((status) => status === values.status),
        ...(values.code.trim() && { code: values.code }),
      }),
    onSaved: onClose,
  })
  const labels = {
    code: t('admin.pool.otherCode'),
    mask: t('admin.codes.code'),
    denomination_id: t('admin.generated.denomination'),
    status: t('admin.generated.status'),
  }
  const places = denominations.map((row) => ({ value: String(row.id), label: gameAmountText(t, row.uc_amount, 'UC') }))
  const states = useCodeStatusOptions(editableStatuses)
  return (
    <FormDrawer
      permission="stock.write"
      title={t('admin.codes.edit', { code: code.code })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      choices={{ denomination_id: places, status: states }}
    >
      <NativeSelect label={labels.denomination_id} data={places} {...form.getInputProps('denomination_id')} />
      <NativeSelect label={labels.status} data={states} {...form.getInputProps('status')} />
      <TextInput
        label={labels.code}
        description={t('admin.pool.otherCodeHint')}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
    </FormDrawer>
  )
}
