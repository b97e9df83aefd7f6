import { usersApi } from '@olmos/contract/users'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/lists.ts'
import { requireUncommonPassword } from './accounts.rules.ts'
import { blockUser, changeRole, readUser, resetPassword, shownUser } from './change-user.ts'
import type { Passwords } from './password.ts'
import { countUsers, listUsers } from './users.store.ts'

export function accountsAdmin({ serve, database }: Context, passwords: Passwords): void {
  serve(usersApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'created_at' }
    const { rows, total } = await withTotal(list, listUsers(database, list), () => countUsers(database, list))
    return { data: rows.map(shownUser), total }
  })

  serve(usersApi.one, async ({ params }) => ({ data: await readUser(database, params.id) }))

  serve(usersApi.setPassword, async ({ user, params, body }) => {
    requireUncommonPassword(body.password)
    const passwordHash = await passwords.hash(body.password)
    return { data: await database.transaction((tx) => resetPassword(tx, user, params.id, passwordHash)) }
  })

  serve(usersApi.setRole, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeRole(tx, user, params.id, body.role)),
  }))

  serve(usersApi.setBlocked, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => blockUser(tx, user, params.id, body.blocked)),
  }))
}
