import type { CallPermission } from '@olmos/contract/permissions'
import {
  type Icon,
  IconBell,
  IconBuildingStore,
  IconCashBanknote,
  IconCreditCard,
  IconDiscount,
  IconFileText,
  IconFlame,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessageCircle,
  IconPackage,
  IconPlugConnected,
  IconReceipt,
  IconReceipt2,
  IconReceiptTax,
  IconScale,
  IconSend,
  IconShieldLock,
  IconSparkles,
  IconSpeakerphone,
  IconStar,
  IconTags,
  IconTicket,
  IconTruckDelivery,
  IconUsers,
  IconUsersGroup,
  IconWallet,
  IconWorld,
} from '@tabler/icons-react'

import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { TabGroup, TabName } from './i18n/en.ts'

interface AdminTab {
  /** As the address has it; its title is the text `admin.tabs.<name>`. */
  name: TabName
  /** Without it the tab is not in the menu, and its address says why it is not shown. */
  permission: CallPermission
  icon: Icon
  screen: LazyExoticComponent<ComponentType>
}

/** Where /admin leads, as the specification has it. */
export const firstTab: TabName = 'products'

/** The menu, group by group: what an operator looks at every day comes first. */
export const tabGroups: readonly { name: TabGroup; tabs: readonly AdminTab[] }[] = [
  {
    name: 'today',
    tabs: [
      {
        name: 'dashboard',
        permission: 'reports.read',
        icon: IconGauge,
        screen: lazy(() => import('./dashboard/DashboardTab.tsx')),
      },
      {
        name: 'alerts',
        permission: 'alerts.write',
        icon: IconBell,
        screen: lazy(() => import('./alerts/AlertsTab.tsx')),
      },
      {
        name: 'support',
        permission: 'support.write',
        icon: IconMessageCircle,
        screen: lazy(() => import('./support/SupportTab.tsx')),
      },
    ],
  },
  {
    name: 'sales',
    tabs: [
      {
        name: 'orders',
        permission: 'orders.read',
        icon: IconReceipt,
        screen: lazy(() => import('./orders/OrdersTab.tsx')),
      },
      {
        name: 'deliveries',
        permission: 'orders.read',
        icon: IconTruckDelivery,
        screen: lazy(() => import('./deliveries/DeliveriesTab.tsx')),
      },
      {
        name: 'users',
        permission: 'customers.read',
        icon: IconUsers,
        screen: lazy(() => import('./users/UsersTab.tsx')),
      },
      {
        name: 'reviews',
        permission: 'support.write',
        icon: IconStar,
        screen: lazy(() => import('./reviews/ReviewsTab.tsx')),
      },
    ],
  },
  {
    name: 'catalogue',
    tabs: [
      {
        name: 'products',
        permission: 'catalogue.read',
        icon: IconPackage,
        screen: lazy(() => import('./products/ProductsTab.tsx')),
      },
      {
        name: 'regions',
        permission: 'catalogue.read',
        icon: IconWorld,
        screen: lazy(() => import('./regions/RegionsTab.tsx')),
      },
      {
        name: 'priceRules',
        permission: 'catalogue.read',
        icon: IconTags,
        screen: lazy(() => import('./price-rules/PriceRulesTab.tsx')),
      },
      {
        name: 'coupons',
        permission: 'catalogue.read',
        icon: IconDiscount,
        screen: lazy(() => import('./coupons/CouponsTab.tsx')),
      },
      {
        name: 'promotions',
        permission: 'catalogue.read',
        icon: IconSpeakerphone,
        screen: lazy(() => import('./promotions/PromotionsTab.tsx')),
      },
    ],
  },
  {
    name: 'codes',
    tabs: [
      { name: 'codes', permission: 'codes.read', icon: IconTicket, screen: lazy(() => import('./codes/CodesTab.tsx')) },
      {
        name: 'batches',
        permission: 'codes.read',
        icon: IconReceipt2,
        screen: lazy(() => import('./batches/BatchesTab.tsx')),
      },
      {
        name: 'generatedCodes',
        permission: 'codes.read',
        icon: IconSparkles,
        screen: lazy(() => import('./generated-codes/GeneratedCodesTab.tsx')),
      },
      {
        name: 'pubgCodes',
        permission: 'codes.read',
        icon: IconKey,
        screen: lazy(() => import('./pubg-codes/PubgCodesTab.tsx')),
      },
      {
        name: 'freefireCodes',
        permission: 'catalogue.read',
        icon: IconFlame,
        screen: lazy(() => import('./denominations/FreefireTab.tsx')),
      },
    ],
  },
  {
    name: 'money',
    tabs: [
      {
        name: 'payments',
        permission: 'payments.read',
        icon: IconCreditCard,
        screen: lazy(() => import('./payments/PaymentsTab.tsx')),
      },
      {
        name: 'paymentMethods',
        permission: 'payments.read',
        icon: IconWallet,
        screen: lazy(() => import('./payment-methods/PaymentMethodsTab.tsx')),
      },
      {
        name: 'currencyRates',
        permission: 'catalogue.read',
        icon: IconCashBanknote,
        screen: lazy(() => import('./rates/RatesTab.tsx')),
      },
      {
        name: 'fiscalReceipts',
        permission: 'payments.read',
        icon: IconReceiptTax,
        screen: lazy(() => import('./fiscal/FiscalTab.tsx')),
      },
      {
        name: 'ledger',
        permission: 'payments.read',
        icon: IconScale,
        screen: lazy(() => import('./ledger/LedgerTab.tsx')),
      },
    ],
  },
  {
    name: 'system',
    tabs: [
      {
        name: 'shop',
        permission: 'settings.read',
        icon: IconBuildingStore,
        screen: lazy(() => import('./shop/ShopTab.tsx')),
      },
      {
        name: 'front',
        permission: 'settings.read',
        icon: IconLayoutDashboard,
        screen: lazy(() => import('./front/FrontTab.tsx')),
      },
      {
        name: 'pages',
        permission: 'settings.read',
        icon: IconFileText,
        screen: lazy(() => import('./pages/PagesTab.tsx')),
      },
      {
        name: 'messages',
        permission: 'settings.read',
        icon: IconSend,
        screen: lazy(() => import('./messages/MessagesTab.tsx')),
      },
      {
        name: 'suppliers',
        permission: 'catalogue.read',
        icon: IconPlugConnected,
        screen: lazy(() => import('./suppliers/SuppliersTab.tsx')),
      },
      {
        name: 'staff',
        permission: 'staff.write',
        icon: IconUsersGroup,
        screen: lazy(() => import('./staff/StaffTab.tsx')),
      },
      {
        name: 'audit',
        permission: 'audit.read',
        icon: IconHistory,
        screen: lazy(() => import('./audit/AuditTab.tsx')),
      },
      {
        name: 'security',
        permission: 'own',
        icon: IconShieldLock,
        screen: lazy(() => import('./security/SecurityTab.tsx')),
      },
    ],
  },
]

/** Every tab of the admin area, in the order of the menu. */
export const tabs: readonly AdminTab[] = tabGroups.flatMap((group) => group.tabs)

/** Addresses of the store are the same in any case. */
export const findTab = (name: string) => tabs.find((tab) => tab.name.toLowerCase() === name.toLowerCase())
