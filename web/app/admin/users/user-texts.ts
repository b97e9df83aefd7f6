import type { Role } from '@olmos/contract/accounts'

export const roleTexts = {
  customer: 'admin.users.customer',
  admin: 'admin.users.admin',
} as const satisfies Record<Role, string>
