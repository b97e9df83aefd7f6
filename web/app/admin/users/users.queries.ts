import type { adminOrdersApi } from '@olmos/contract/admin-orders'
import type { deskApi } from '@olmos/contract/desk'
import type { ListedUser, usersApi } from '@olmos/contract/users'
import type { walletApi } from '@olmos/contract/wallet'
import { keepPreviousData } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminList, useAdminQuery } from '../list/use-admin-list.ts'

const list = caller<typeof usersApi.list>('GET /admin/users')
const one = caller<typeof usersApi.one>('GET /admin/users/:id')
const password = caller<typeof usersApi.setPassword>('PUT /admin/users/:id/password')
const role = caller<typeof usersApi.setRole>('PUT /admin/users/:id/role')
const blocked = caller<typeof usersApi.setBlocked>('PUT /admin/users/:id/blocked')
const balance = caller<typeof walletApi.setBalance>('PUT /admin/users/:id/balance')
const ledger = caller<typeof walletApi.ledger>('GET /admin/users/:id/ledger')
const orders = caller<typeof adminOrdersApi.ofUser>('GET /admin/users/:id/orders')
const talks = caller<typeof deskApi.list>('GET /admin/conversations')

export const sidePageSize = 20

export const useUsers = () =>
  useAdminList<ListedUser>({ noun: 'users', load: list, filters: ['role', 'blocked', 'from', 'to'], place: ['user'] })

const useUserQuery = <Data>(userId: string, what: string, page: number, load: (signal: AbortSignal) => Promise<Data>) =>
  useAdminQuery(queryKeys.admin.noun('users', 'one', userId, what, page), load, {
    placeholderData: keepPreviousData,
  })

export const useUser = (userId: string) =>
  useUserQuery(userId, 'user', 1, async (signal) => (await one({ params: { id: userId } }, { signal })).data)

const toPage = (page: number) => ({ page: String(page), pageSize: String(sidePageSize) })

export const useUserLedger = (userId: string, page: number) =>
  useUserQuery(userId, 'ledger', page, (signal) => ledger({ params: { id: userId }, query: toPage(page) }, { signal }))

export const useUserOrders = (userId: string, page: number) =>
  useUserQuery(userId, 'orders', page, (signal) => orders({ params: { id: userId }, query: toPage(page) }, { signal }))

export const useUserTalks = (userId: string, page: number) =>
  useUserQuery(userId, 'talks', page, (signal) => talks({ query: { ...toPage(page), customer: userId } }, { signal }))

const params = (user: ListedUser) => ({ id: String(user.id) })

export const setPassword = (user: ListedUser, value: string) =>
  password({ params: params(user), body: { password: value } })

export const setRole = (user: ListedUser, value: ListedUser['role']) =>
  role({ params: params(user), body: { role: value } })

export const setBlocked = (user: ListedUser, value: boolean) =>
  blocked({ params: params(user), body: { blocked: value } })

interface BalanceChange {
  balanceUsd?: number
  balanceRub?: number
  /** A balance that is left out is not compared. */
  seen: { balanceUsd?: number; balanceRub?: number }
  reason: string
}

export const setBalance = (user: ListedUser, body: BalanceChange) =>
  balance({ params: params(user), body }, { once: `balance:${user.id}:${JSON.stringify(body)}` })
