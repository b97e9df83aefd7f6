import { type Icon, IconPackage, IconSpeakerphone, IconWorld } from '@tabler/icons-react'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

interface AdminTab {
  /** As the address has it; its title is the text `admin.tabs.<name>`. */
  name: string
  icon: Icon
  screen: LazyExoticComponent<ComponentType>
}

/** Every tab of the admin area, in the order of the menu; the first is where /admin leads. */
export const tabs: readonly AdminTab[] = [
  { name: 'products', icon: IconPackage, screen: lazy(() => import('./products/ProductsTab.tsx')) },
  { name: 'promotions', icon: IconSpeakerphone, screen: lazy(() => import('./promotions/PromotionsTab.tsx')) },
  { name: 'regions', icon: IconWorld, screen: lazy(() => import('./regions/RegionsTab.tsx')) },
]

/** Addresses of the store are the same in any case. */
export const findTab = (name: string) => tabs.find((tab) => tab.name.toLowerCase() === name.toLowerCase())
