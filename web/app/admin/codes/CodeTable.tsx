import { ActionIcon, Button, Code, Text } from '@mantine/core'
import type { ListedCode } from '@olmos/contract/codes'
import { IconEye, IconFileImport, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { BatchLink } from './BatchLink.tsx'
import { CodeFilters } from './CodeFilters.tsx'
import { CodeForm } from './CodeForm.tsx'
import { useCodes } from './codes.queries.ts'
import { RemoveCode } from './RemoveCode.tsx'
import { RevealDialog } from './RevealDialog.tsx'
import { SoldTo } from './SoldTo.tsx'
import { codeStateTones } from './states.ts'

export function CodeTable() {
  const { t } = useTranslation()
  const list = useCodes()
  const [edited, setEdited] = useState<ListedCode | 'new'>()
  const [removed, setRemoved] = useState<ListedCode>()
  const [revealed, setRevealed] = useState<ListedCode>()

  return (
    <>
      <AdminTable
        list={list}
        columns={useCodeColumns()}
        rowKey={({ id }) => id}
        onOpen={(code) => (isFree(code) ? setEdited(code) : setRevealed(code))}
        searchLabel={t('admin.codes.search')}
        empty={t('admin.codes.empty')}
        filters={<CodeFilters view={list.view} />}
        head={
          <>
            <Button
              component={Link}
              to={`${paths.admin('codes')}?import`}
              variant="default"
              leftSection={<IconFileImport size={18} />}
            >
              {t('admin.codes.import')}
            </Button>
            <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
              {t('admin.codes.add')}
            </Button>
          </>
        }
        actions={(code) => (
          <RowButtons
            name={toName(code)}
            {...(isFree(code) && { onEdit: () => setEdited(code) })}
            onRemove={() => setRemoved(code)}
          >
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('admin.codes.reveal', { code: toName(code) })}
              onClick={() => setRevealed(code)}
            >
              <IconEye size={18} />
            </ActionIcon>
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
      cell: (code) => [code.product_title, code.region_name].filter(Boolean).join(', '),
    },
    columns.gameAmount({ title: t('admin.products.package'), sort: 'game_amount' }, (code) => [
      code.game_amount,
      code.game_currency,
    ]),
    columns.money({ title: t('admin.codes.priceUsd'), sort: 'price_usd' }, (code) => [code.price_usd, 'USD']),
    columns.money({ title: t('admin.codes.priceRub'), sort: 'price_rub' }, (code) => [code.price_rub, 'RUB']),
    {
      title: t('admin.codes.status'),
      sort: 'status',
      cell: (code) => (
        <>
          <StatusBadge tone={codeStateTones[code.status]} text={t(`admin.codes.state.${code.status}`)} />
          {code.order_id && <SoldTo orderId={code.order_id} nickname={code.nickname} />}
        </>
      ),
    },
    columns.created(t),
  ]
}
