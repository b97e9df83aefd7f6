/**
 * What a member of the staff may do, in the words of the trade, as it stands together where a role is made. Each has a text
 * in the admin area, or the build breaks.
 */
export const permissionGroups = {
  daily: ['reports.read', 'alerts.write', 'support.write', 'audit.read', 'exports.read'],
  orders: [
    'orders.read',
    'orders.write',
    'orders.refund',
    'codes.replace',
    'approvals.write',
    'customers.read',
    'customers.write',
    'customers.balance',
  ],
  catalogue: ['catalogue.read', 'catalogue.write', 'prices.write', 'suppliers.write', 'suppliers.setup'],
  codes: ['codes.read', 'codes.reveal', 'stock.write'],
  money: ['payments.read', 'payments.write', 'payments.setup'],
  store: ['settings.read', 'settings.write', 'messages.write', 'staff.write', 'staff.second_factor'],
} as const
export const permissions = Object.values(permissionGroups).flat()
export type Permission = (typeof permissions)[number]

/** What a call of admins asks for. `own`: nothing but being staff, because it is about the caller alone. */
export type CallPermission = Permission | 'own'

/** Nobody but an owner has them, so no set of the shop's own can hold them. */
const ownersOnly: readonly Permission[] = ['staff.second_factor']
export const givablePermissions = permissions.filter((permission) => !ownersOnly.includes(permission))

export const builtInRoles = ['owner', 'manager', 'stock', 'finance', 'support'] as const
export type BuiltInRole = (typeof builtInRoles)[number]

/** What the roles that every shop has may do. The owner is who the specification calls an admin. */
export const builtInPermissions: Readonly<Record<BuiltInRole, readonly Permission[]>> = {
  owner: permissions,
  manager: [
    'reports.read',
    'alerts.write',
    'support.write',
    'orders.read',
    'orders.write',
    'orders.refund',
    'codes.replace',
    'approvals.write',
    'customers.read',
    'customers.write',
    'customers.balance',
    'catalogue.read',
    'catalogue.write',
    'prices.write',
    'suppliers.write',
    'codes.read',
    'codes.reveal',
    'stock.write',
    'payments.read',
    'payments.write',
    'settings.read',
    'messages.write',
    'exports.read',
    'audit.read',
  ],
  stock: ['alerts.write', 'catalogue.read', 'codes.read', 'stock.write'],
  finance: [
    'reports.read',
    'alerts.write',
    'orders.read',
    'orders.refund',
    'approvals.write',
    'customers.read',
    'customers.balance',
    'catalogue.read',
    'prices.write',
    'payments.read',
    'payments.write',
    'exports.read',
    'audit.read',
  ],
  support: [
    'alerts.write',
    'support.write',
    'orders.read',
    'orders.write',
    'orders.refund',
    'codes.replace',
    'customers.read',
    'catalogue.read',
  ],
}

/** How much somebody may refund or change balances by without a colleague's yes, in one go and in a day of the shop. */
export const staffLimits = ['rub_once', 'rub_daily', 'usd_once', 'usd_daily'] as const
export type StaffLimit = (typeof staffLimits)[number]

/** What is done within the limits, and what lets a colleague go beyond them. */
export const limitedPermissions: readonly Permission[] = [
  'orders.refund',
  'codes.replace',
  'customers.balance',
  'payments.write',
  'approvals.write',
]
