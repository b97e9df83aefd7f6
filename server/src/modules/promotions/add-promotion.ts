import type { Language } from '@olmos/contract/fields'
import type { Tx } from '../../platform/database.ts'
import { insertPromotion, setPromotionText } from './promotions.store.ts'

export interface PromotionDraft {
  text: Partial<Record<Language, string>> & { ru: string }
  /** '#rrggbb' */
  backgroundColor: string
  isActive?: boolean
}

/** Adds a promotion, active unless said otherwise; answers its id. */
export async function addPromotion(tx: Tx, promotion: PromotionDraft): Promise<number> {
  const id = await insertPromotion(tx, promotion.backgroundColor, promotion.isActive ?? true)
  for (const [language, text] of Object.entries(promotion.text)) {
    if (text !== '') await setPromotionText(tx, id, language, text)
  }
  return id
}
