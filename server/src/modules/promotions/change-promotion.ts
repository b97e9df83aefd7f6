import { Failure } from '@olmos/contract/failure'
import type { ListedPromotion, NewPromotion, PromotionChange } from '@olmos/contract/promotions'
import { announce } from '../../platform/announce.ts'
import { record, recordChange } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { requireVersion } from '../../platform/edits.ts'
import { addPromotion } from './add-promotion.ts'
import {
  deletePromotion,
  deletePromotionText,
  findPromotion,
  lockPromotion,
  type PromotionRow,
  setPromotionText,
  updatePromotion,
} from './promotions.store.ts'

export const shownPromotion = (row: PromotionRow): ListedPromotion => ({
  ...row,
  text: row.translations.ru ?? '',
  created_at: row.created_at.toISOString(),
})

async function readPromotion(tx: Tx, promotionId: number): Promise<ListedPromotion> {
  const row = await findPromotion(tx, promotionId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownPromotion(row)
}

async function holdPromotion(tx: Tx, promotionId: number): Promise<ListedPromotion> {
  const row = await lockPromotion(tx, promotionId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownPromotion(row)
}

export async function createPromotion(tx: Tx, adminId: number, wanted: NewPromotion): Promise<ListedPromotion> {
  const id = await addPromotion(tx, {
    text: { ...wanted.translations, ru: wanted.text },
    backgroundColor: wanted.background_color,
    isActive: wanted.is_active,
  })
  const after = await readPromotion(tx, id)
  await record(tx, { actorId: adminId, action: 'promotion.create', subject: `promotion:${id}`, after })
  await announce(tx, 'catalogue', `promotion:${id}`)
  return after
}

export async function changePromotion(
  tx: Tx,
  adminId: number,
  promotionId: number,
  { version, text, translations, ...fields }: PromotionChange,
): Promise<ListedPromotion> {
  const before = await holdPromotion(tx, promotionId)
  requireVersion(before, version)
  await updatePromotion(tx, promotionId, { ...before, ...fields })
  const texts = { ...translations, ru: text ?? (translations?.ru || before.text) }
  for (const [language, value] of Object.entries(texts)) {
    if (value === '') await deletePromotionText(tx, promotionId, language)
    else await setPromotionText(tx, promotionId, language, value)
  }
  const after = await readPromotion(tx, promotionId)
  const entry = { actorId: adminId, action: 'promotion.update', subject: `promotion:${promotionId}` } as const
  await recordChange(tx, entry, before, after)
  await announce(tx, 'catalogue', `promotion:${promotionId}`)
  return after
}

export async function removePromotion(tx: Tx, adminId: number, promotionId: number): Promise<void> {
  const before = await holdPromotion(tx, promotionId)
  await deletePromotion(tx, promotionId)
  await record(tx, { actorId: adminId, action: 'promotion.delete', subject: `promotion:${promotionId}`, before })
  await announce(tx, 'catalogue', `promotion:${promotionId}`)
}
