import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import type { adminOrdersApi } from '@olmos/contract/admin-orders'
import type { usersApi } from '@olmos/contract/users'
import { IconSearch } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { useNavigate } from 'react-router'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { ADMIN_LIMITS } from '../limits.ts'
import { useAdminRead } from '../list/use-admin-list.ts'
import { isCovered } from '../list/use-row-keys.ts'

const listOrders = caller<typeof adminOrdersApi.list>('GET /admin/orders')
const listUsers = caller<typeof usersApi.list>('GET /admin/users')

const shownOfEach = 5

/** The first of the orders and customers that a text finds; none while nothing is typed. */
function useFound(search: string) {
  const may = useMay()
  const query = { search, pageSize: String(shownOfEach) }
  const isAsked = (permission: 'orders.read' | 'customers.read') => ({ enabled: search !== '' && may(permission) })
  const { data: orders = [] } = useAdminRead(
    queryKeys.admin.noun('orders', 'found', search),
    listOrders,
    { query },
    isAsked('orders.read'),
  )
  const { data: customers = [] } = useAdminRead(
    queryKeys.admin.noun('users', 'found', search),
    listUsers,
    { query },
    isAsked('customers.read'),
  )
  return { orders, customers }
}

interface BarSearchProps {
  field: RefObject<HTMLInputElement | null>
  /** Shows the field where it waits behind a button, before it gets the focus. */
  onOpen(): void
}

/**
 * Finds orders and customers from every tab: by number, nickname, e-mail, player ID or payment. The key / leads here where
 * the screen has no search of its own, and Ctrl+K everywhere.
 */
export function BarSearch({ field, onOpen }: BarSearchProps) {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const typed = text.trim()
  const [search] = useDebouncedValue(typed, ADMIN_LIMITS.typingPauseMs)
  const { orders, customers } = useFound(search)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })

  const enter = (event: KeyboardEvent) => {
    if (isCovered()) return
    event.preventDefault()
    onOpen()
  }
  const own = { preventDefault: false }
  useHotkeys([['/', (event) => document.querySelector('main input[type="search"]') === null && enter(event), own]])
  // In fields too, where / is what is typed.
  useHotkeys([['mod+K', enter, own]], [])

  const lists = [
    ...(may('orders.read') ? [{ tab: 'orders' as const, text: t('admin.bar.inOrders', { text: typed }) }] : []),
    ...(may('customers.read') ? [{ tab: 'users' as const, text: t('admin.bar.inCustomers', { text: typed }) }] : []),
  ]
  const toList = (tab: string) => `${paths.admin(tab)}?search=${encodeURIComponent(typed)}`
  const go = (to: string) => {
    setText('')
    combobox.closeDropdown()
    field.current?.blur()
    navigate(to)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={go} withinPortal={false}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          ref={field}
          aria-label={t('admin.bar.search')}
          placeholder={t('admin.bar.placeholder')}
          leftSection={<IconSearch size={18} aria-hidden />}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => typed !== '' && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            const [first] = lists
            if (event.key === 'Enter' && typed !== '' && first && combobox.getSelectedOptionIndex() === -1)
              go(toList(first.tab))
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={typed === ''}>
        <Combobox.Options aria-label={t('admin.bar.search')}>
          {orders.map(({ id, nickname }) => (
            <Combobox.Option key={id} value={`${paths.admin('orders')}?order=${id}`}>
              {t('admin.orders.order')} {id} · {nickname}
            </Combobox.Option>
          ))}
          {customers.map(({ id, nickname }) => (
            <Combobox.Option key={id} value={`${paths.admin('users')}?user=${id}`}>
              {nickname} · {t('admin.users.user', { id })}
            </Combobox.Option>
          ))}
          {lists.map((list) => (
            <Combobox.Option key={list.tab} value={toList(list.tab)}>
              {list.text}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
