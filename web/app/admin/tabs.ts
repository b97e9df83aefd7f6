import {
  type Icon,
  IconBell,
  IconBuildingStore,
  IconCashBanknote,
  IconCreditCard,
  IconDiscount,
  IconFlame,
  IconGauge,
  IconHistory,
  IconKey,
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
  IconWallet,
  IconWorld,
} from '@tabler/icons-react'

import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { TabGroup, TabName } from './i18n/en.ts'

interface AdminTab {
  /** As the address has it; its title is the text `admin.tabs.<name>`. */
  name: TabName
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
      { name: 'dashboard', icon: IconGauge, screen: lazy(() => import('./dashboard/DashboardTab.tsx')) },
      { name: 'alerts', icon: IconBell, screen: lazy(() => import('./alerts/AlertsTab.tsx')) },
      { name: 'support', icon: IconMessageCircle, screen: lazy(() => import('./support/SupportTab.tsx')) },
    ],
  },
  {
    name: 'sales',
    tabs: [
      { name: 'orders', icon: IconReceipt, screen: lazy(() => import('./orders/OrdersTab.tsx')) },
      { name: 'deliveries', icon: IconTruckDelivery, screen: lazy(() => import('./deliveries/DeliveriesTab.tsx')) },
      { name: 'users', icon: IconUsers, screen: lazy(() => import('./users/UsersTab.tsx')) },
      { name: 'reviews', icon: IconStar, screen: lazy(() => import('./reviews/ReviewsTab.tsx')) },
    ],
  },
  {
    name: 'catalogue',
    tabs: [
      { name: 'products', icon: IconPackage, screen: lazy(() => import('./products/ProductsTab.tsx')) },
      { name: 'regions', icon: IconWorld, screen: lazy(() => import('./regions/RegionsTab.tsx')) },
      { name: 'priceRules', icon: IconTags, screen: lazy(() => import('./price-rules/PriceRulesTab.tsx')) },
      { name: 'coupons', icon: IconDiscount, screen: lazy(() => import('./coupons/CouponsTab.tsx')) },
      { name: 'promotions', icon: IconSpeakerphone, screen: lazy(() => import('./promotions/PromotionsTab.tsx')) },
    ],
  },
  {
    name: 'codes',
    tabs: [
      { name: 'codes', icon: IconTicket, screen: lazy(() => import('./codes/CodesTab.tsx')) },
      { name: 'batches', icon: IconReceipt2, screen: lazy(() => import('./batches/BatchesTab.tsx')) },
      {
        name: 'generatedCodes',
        icon: IconSparkles,
        screen: lazy(() => import('./generated-codes/GeneratedCodesTab.tsx')),
      },
      { name: 'pubgCodes', icon: IconKey, screen: lazy(() => import('./pubg-codes/PubgCodesTab.tsx')) },
      { name: 'freefireCodes', icon: IconFlame, screen: lazy(() => import('./denominations/FreefireTab.tsx')) },
    ],
  },
  {
    name: 'money',
    tabs: [
      { name: 'payments', icon: IconCreditCard, screen: lazy(() => import('./payments/PaymentsTab.tsx')) },
      {
        name: 'paymentMethods',
        icon: IconWallet,
        screen: lazy(() => import('./payment-methods/PaymentMethodsTab.tsx')),
      },
      { name: 'currencyRates', icon: IconCashBanknote, screen: lazy(() => import('./rates/RatesTab.tsx')) },
      { name: 'fiscalReceipts', icon: IconReceiptTax, screen: lazy(() => import('./fiscal/FiscalTab.tsx')) },
      { name: 'ledger', icon: IconScale, screen: lazy(() => import('./ledger/LedgerTab.tsx')) },
    ],
  },
  {
    name: 'system',
    tabs: [
      { name: 'shop', icon: IconBuildingStore, screen: lazy(() => import('./shop/ShopTab.tsx')) },
      { name: 'messages', icon: IconSend, screen: lazy(() => import('./messages/MessagesTab.tsx')) },
      { name: 'suppliers', icon: IconPlugConnected, screen: lazy(() => import('./suppliers/SuppliersTab.tsx')) },
      { name: 'audit', icon: IconHistory, screen: lazy(() => import('./audit/AuditTab.tsx')) },
      { name: 'security', icon: IconShieldLock, screen: lazy(() => import('./security/SecurityTab.tsx')) },
    ],
  },
]

/** Every tab of the admin area, in the order of the menu. */
export const tabs: readonly AdminTab[] = tabGroups.flatMap((group) => group.tabs)

/** Addresses of the store are the same in any case. */
export const findTab = (name: string) => tabs.find((tab) => tab.name.toLowerCase() === name.toLowerCase())
