import { CloseButton, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { walletCurrencies } from '../../money/currency.ts'
import { refusalText } from '../form/refusal-text.ts'
import { DayFilters } from '../list/DayFilters.tsx'
import { FilterSelect, toIdOptions } from '../list/FilterSelect.tsx'
import { FilterText } from '../list/FilterText.tsx'
import { MoreFilters } from '../list/MoreFilters.tsx'
import { asAdmin } from '../list/use-admin-list.ts'
import type { ListView } from '../list/use-list-view.ts'
import { useAllProducts } from '../products/products.queries.ts'
import { useSuppliers } from '../suppliers/suppliers.queries.ts'
import { lookUpCode, rarerFilters } from './orders.queries.ts'

/** Narrows orders by their days; what is asked for more rarely waits behind a button until it is used. */
export function OrderFilters({ view }: { view: ListView }) {
  return (
    <>
      <DayFilters view={view} />
      <MoreFilters view={view} names={rarerFilters}>
        <RarerFilters view={view} />
      </MoreFilters>
    </>
  )
}

const readAmount = (typed: string): string | undefined =>
  /^\d{1,9}([.,]\d{1,2})?$/.test(typed) ? typed.replace(',', '.') : undefined

function RarerFilters({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const { data: products } = useAllProducts()
  const { data: suppliers } = useSuppliers()
  const amount = { inputMode: 'decimal', read: readAmount, fault: t('admin.orderFilters.badAmount') } as const
  return (
    <>
      <FilterSelect
        view={view}
        name="currency"
        label={t('admin.orderFilters.currency')}
        options={walletCurrencies.map((currency) => ({ value: currency, label: currency }))}
      />
      <FilterSelect
        view={view}
        name="productId"
        label={t('admin.orderFilters.product')}
        options={toIdOptions(products)}
      />
      <FilterSelect
        view={view}
        name="supplier"
        label={t('admin.orderFilters.supplier')}
        options={(suppliers ?? []).map(({ name }) => ({ value: name, label: name }))}
      />
      <FilterText view={view} name="nickname" label={t('admin.orderFilters.nickname')} maxLength={32} />
      <FilterText view={view} name="account" label={t('admin.orderFilters.account')} maxLength={256} />
      <FilterText view={view} name="payment" label={t('admin.orderFilters.payment')} maxLength={200} />
      <FilterText view={view} name="email" label={t('admin.orderFilters.email')} inputMode="email" maxLength={254} />
      <FilterText view={view} name="paid_by" label={t('admin.orderFilters.paidBy')} maxLength={64} />
      <FilterText view={view} name="refunded_from" type="date" label={t('admin.orderFilters.refundedFrom')} />
      <FilterText view={view} name="refunded_to" type="date" label={t('admin.orderFilters.refundedTo')} />
      <FilterText view={view} name="refund_reason" label={t('admin.orderFilters.refundReason')} maxLength={500} />
      <FilterText view={view} name="amount_from" label={t('admin.orderFilters.amountFrom')} {...amount} />
      <FilterText view={view} name="amount_to" label={t('admin.orderFilters.amountTo')} {...amount} />
      <CodeFilter view={view} />
    </>
  )
}

/** The code itself goes to the store in a body and is forgotten; the address has its id. */
function CodeFilter({ view }: { view: ListView }) {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const lookUp = useMutation({
    mutationFn: (code: string) => asAdmin(client, lookUpCode(code)),
    retry: false,
    gcTime: 0,
    onSuccess: (id) => {
      if (id === null) return
      setTyped('')
      view.change({ code: id })
    },
  })
  const code = view.filter('code')
  const label = t('admin.orderFilters.code')
  const width = { base: '1 1 100%', sm: '0 1 320px' }
  if (code) {
    return (
      <TextInput
        label={label}
        flex={width}
        wrapperProps={{ 'data-set': true }}
        value={t('admin.orderFilters.codeFound', { id: code })}
        readOnly
        rightSection={
          <CloseButton aria-label={t('admin.orderFilters.codeAny')} onClick={() => view.change({ code: '' })} />
        }
      />
    )
  }
  const fault = lookUp.error && refusalText({ t, language }, lookUp.error)
  return (
    <TextInput
      label={label}
      description={t('admin.orderFilters.codeHint')}
      error={lookUp.data === null ? t('admin.orderFilters.codeUnknown') : fault}
      autoComplete="off"
      spellCheck={false}
      maxLength={4_000}
      flex={width}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        lookUp.reset()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && typed.trim() !== '') lookUp.mutate(typed.trim())
      }}
    />
  )
}
