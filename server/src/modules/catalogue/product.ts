import type { ProductKind } from '@olmos/contract/catalogue'
import type { Language } from '@olmos/contract/fields'
import type { CodeGame } from '@olmos/contract/products'

export interface DraftText {
  title: string
  description: string
  activationInstructions: string
}

export interface ProductDraft {
  slug: string
  kind: ProductKind
  category: readonly string[]
  keywords: readonly string[]
  gameCurrency: string
  imageUrl: string
  supportsCodeGeneration: boolean
  codePrefix: string | null
  /** On whose page its generated codes are activated. */
  codeGame?: CodeGame | null
  position: number
  /** Codes that are not on the shelf are bought at a supplier. */
  buysOnDemand?: boolean
  isActive?: boolean
  texts: Partial<Record<Language, DraftText>> & { ru: DraftText }
  /** `gameCurrency` null means the product's own. */
  regions: readonly { regionId: number; gameCurrency: string | null }[]
}
