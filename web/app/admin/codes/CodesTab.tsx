import { Button, Code, Group, Stack, Text } from '@mantine/core'
import type { CodeStatus, ListedCode } from '@olmos/contract/codes'
import { IconEye, IconFileImport, IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { isConflict } from '../../api/api-error.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { ImportScreen } from '../code-import/ImportScreen.tsx'
import { RecallScreen } from '../code-recall/RecallScreen.tsx'
import { recallParam } from '../code-recall/recall.queries.ts'
import { ExportButtons } from '../exports/ExportButtons.tsx'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { type ListSelect, toIdOptions } from '../list/FilterSelect.tsx'
import { RowButton, RowButtons } from '../list/RowButtons.tsx'
import { asAdmin } from '../list/use-admin-list.ts'
import { useCodeProducts } from '../products/products.queries.ts'
import { useAllRegions } from '../regions/regions.queries.ts'
import { Allowed, AllowedScreen } from '../shell/Allowed.tsx'
import { BatchFilter } from './BatchFilter.tsx'
import { BatchLink } from './BatchLink.tsx'
import { CodeForm } from './CodeForm.tsx'
import { CodeStatusBadge, useCodeStatusOptions } from './CodeStatusBadge.tsx'
import { changeCode, removeCode, revealCode, useCodes } from './codes.queries.ts'
import { OfferFilter } from './OfferFilter.tsx'
import { SoldTo } from './SoldTo.tsx'

/** All codes; the import of many, or one import of the past, where the address says so. */
export default function CodesTab() {
  const [params] = useSearchParams()
  const batchId = Number(params.get(recallParam))
  if (params.has('import'))
    return (
      <AllowedScreen to="stock.write">
        <ImportScreen />
      </AllowedScreen>
    )
  return batchId > 0 ? <RecallScreen key={batchId} batchId={batchId} /> : <CodeTable />
}

function CodeTable() {
  const { t } = useTranslation()
  const list = useCodes()
  const [edited, setEdited] = useState<ListedCode | 'new'>()
  const [removed, setRemoved] = useState<ListedCode>()
  const [revealed, setRevealed] = useState<ListedCode>()
  const may = useMay()
  const mayChange = may('stock.write')
  const open = (code: ListedCode) => {
    if (mayChange && isFree(code)) setEdited(code)
    else if (may('codes.reveal')) setRevealed(code)
  }

  return (
    <>
      <AdminTable
        list={list}
        columns={useCodeColumns()}
        onOpen={open}
        searchLabel={t('admin.codes.search')}
        empty={t('admin.codes.empty')}
        selects={useCodeSelects()}
        filters={
          <>
            <OfferFilter view={list.view} />
            <BatchFilter view={list.view} />
          </>
        }
        head={
          <>
            <ExportButtons what="stock" />
            <Allowed to="stock.write">
              <Button
                component={Link}
                to={`${paths.admin('codes')}?import`}
                variant="default"
                leftSection={<IconFileImport size={18} />}
              >
                {t('admin.codes.import')}
              </Button>
            </Allowed>
            <Allowed to="stock.write">
              <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
                {t('admin.codes.add')}
              </Button>
            </Allowed>
          </>
        }
        actions={(code) => (
          <RowButtons
            name={toName(code)}
            {...(mayChange && isFree(code) && { onEdit: () => setEdited(code) })}
            {...(mayChange && { onRemove: () => setRemoved(code) })}
          >
            <Allowed to="codes.reveal">
              <RowButton
                icon={IconEye}
                label={t('admin.codes.reveal', { code: toName(code) })}
                onClick={() => setRevealed(code)}
              />
            </Allowed>
          </RowButtons>
        )}
      />
      {edited && <CodeForm code={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveCode code={removed} onClose={() => setRemoved(undefined)} />}
      {revealed && <RevealDialog code={revealed} onClose={() => setRevealed(undefined)} />}
    </>
  )
}

const toName = (code: ListedCode) => `${code.code} (${code.id})`

/** Whether it may be edited: what was sold is as it was sold. */
const isFree = ({ status }: ListedCode) => status === 'available' || status === 'archived'

function useCodeColumns(): Column<ListedCode>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('admin.codes.code'),
      isHead: true,
      cell: (code) => (
        <>
          <Code>{code.code}</Code>
          <Text size="xs" c="dimmed">
            {t('admin.codes.number', { id: code.id })} <BatchLink tab="codes" batch={code.batch_id} />
          </Text>
        </>
      ),
    },
    {
      title: t('admin.codes.product'),
      isBare: true,
      cell: (code) => [code.product_title, code.region_name].filter(Boolean).join(', '),
    },
    columns.gameAmount({ title: t('admin.products.package'), sort: 'game_amount', isBare: true }, (code) => [
      code.game_amount,
      code.game_currency,
    ]),
    columns.money({ title: t('admin.codes.priceUsd'), sort: 'price_usd', isBare: true }, (code) => [
      code.price_usd,
      'USD',
    ]),
    columns.money({ title: t('admin.codes.priceRub'), sort: 'price_rub', isBare: true }, (code) => [
      code.price_rub,
      'RUB',
    ]),
    {
      title: t('admin.orders.status'),
      sort: 'status',
      isState: true,
      cell: (code) => (
        <>
          <CodeStatusBadge status={code.status} />
          {code.order_id && <SoldTo orderId={code.order_id} nickname={code.nickname} />}
        </>
      ),
    },
    columns.created(t),
  ]
}

/** What the list of codes is narrowed by; a batch is named by a link. */
function useCodeSelects(): ListSelect[] {
  const { t } = useTranslation()
  const { data: products } = useCodeProducts()
  const { data: regions } = useAllRegions()
  const noRegion = { value: '0', label: t('admin.codes.noRegion') }
  return [
    { name: 'productId', label: t('admin.codes.product'), options: toIdOptions(products) },
    { name: 'regionId', label: t('admin.codes.region'), options: [noRegion, ...toIdOptions(regions)] },
    { name: 'status', label: t('admin.orders.status'), options: useCodeStatusOptions() },
  ]
}

/** Why a code stays, by its status; the others can be deleted. */
const keptTexts: Partial<Record<CodeStatus, 'admin.codes.isKept' | 'admin.codes.isQuarantined'>> = {
  used: 'admin.codes.isKept',
  reserved: 'admin.codes.isKept',
  quarantined: 'admin.codes.isQuarantined',
}

/** Deletes a code that nobody has seen; one that was shown can be taken off the shelf. What was sold or recalled stays. */
function RemoveCode({ code, onClose }: { code: ListedCode; onClose(): void }) {
  const { t } = useTranslation()
  const remove = useAdminAction({ noun: 'codes', send: removeCode, done: t('admin.remove.done'), onDone: onClose })
  const archive = useAdminAction({
    noun: 'codes',
    send: () => changeCode(code, { status: 'archived' }),
    done: t('admin.codes.archived'),
    onDone: onClose,
  })
  const kept = keptTexts[code.status]
  const isSeen = isConflict(remove.error, 'code_revealed')
  return (
    <ConfirmDialog
      title={t('admin.codes.removeTitle')}
      isBusy={remove.isPending}
      isRefused={kept !== undefined || isSeen}
      refusal={archive.refusal ?? remove.refusal}
      onConfirm={() => remove.mutate(code)}
      onClose={onClose}
    >
      <div>
        <Code>{code.code}</Code>
      </div>
      <Text>{t(kept ?? 'admin.remove.final')}</Text>
      {isSeen && code.status === 'available' && (
        <Button variant="default" loading={archive.isPending} onClick={() => archive.mutate(undefined)}>
          {t('admin.codes.archive')}
        </Button>
      )}
    </ConfirmDialog>
  )
}

/** Shows one code; says first that the store writes down who looked. Nothing of it stays when it is closed. */
function RevealDialog({ code, onClose }: { code: ListedCode; onClose(): void }) {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const reveal = useMutation({
    mutationFn: () => asAdmin(client, revealCode(code)),
    retry: false,
    gcTime: 0,
  })
  const plain = reveal.data?.data.code

  const copy = async (text: string) => {
    if (await copyText(text)) toastSuccess(t('receipt.copied'))
    else toastError(t('admin.codes.copyFailed'))
  }

  return (
    <Dialog isOpen onClose={onClose} title={t('admin.codes.revealTitle')} closeLabel={t('admin.form.cancel')}>
      <Stack>
        {plain === undefined ? (
          <Text>{t('admin.codes.revealText')}</Text>
        ) : (
          <Code block fz="md" aria-label={t('admin.codes.code')}>
            {plain}
          </Code>
        )}
        {reveal.error && <RefusalAlert text={refusalText({ t, language }, reveal.error)} />}
        <Group justify="flex-end">
          {plain === undefined ? (
            <Button loading={reveal.isPending} onClick={() => reveal.mutate()}>
              {t('admin.codes.revealNow')}
            </Button>
          ) : (
            <Button onClick={() => copy(plain)}>{t('admin.codes.copy')}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
