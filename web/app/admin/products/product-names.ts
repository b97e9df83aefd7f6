import type { CodeGame } from '@olmos/contract/products'
import type { PlayerCheckRule, TopupPricing } from '@olmos/contract/topup-data'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { receiptChoices } from '../fiscal/fiscal.queries.ts'
import { toIdOptions, toOptions } from '../list/FilterSelect.tsx'
import { useAllRegions } from '../regions/regions.queries.ts'

/** Games keep their own name in every language. */
const gameNames: Record<CodeGame, string> = { freefire: 'Free Fire' }
const games = toOptions(gameNames, (game) => gameNames[game])

export const kindNames = { code: 'admin.products.kindCode', topup: 'admin.products.kindTopup' } as const
const pricingNames = {
  offers: 'admin.products.pricingOffers',
  combination: 'admin.products.pricingCombination',
  amount: 'admin.products.pricingAmount',
} as const satisfies Record<TopupPricing, string>
const checkNames = {
  required: 'admin.products.checkRequired',
  offered: 'admin.products.checkOffered',
  none: 'admin.products.checkNone',
} as const satisfies Record<PlayerCheckRule, string>

/** Names the fields of a product, and what is chosen in them. */
export function useProductNames() {
  const { t } = useTranslation()
  const { data: regions = [] } = useAllRegions()
  const texts = {
    name: t('admin.products.name'),
    description: t('admin.products.description'),
    activationInstructions: t('admin.products.instructions'),
  }
  const inLanguage = (language: 'en' | 'uz') =>
    Object.entries(texts).map(([field, label]) => [
      `translations.${language}.${field}`,
      `${label}, ${languageNames[language]}`,
    ])
  const currencyIn = regions.map(({ id, name }) => [
    `currencies.${id}`,
    t('admin.products.currencyIn', { region: name }),
  ])
  const labels = {
    ...texts,
    ...Object.fromEntries([...inLanguage('en'), ...inLanguage('uz'), ...currencyIn]),
    kind: t('admin.products.kind'),
    slug: t('admin.products.slug'),
    imageUrl: t('admin.products.image'),
    color: t('admin.products.color'),
    keywords: t('admin.products.keywords'),
    category: t('admin.products.category'),
    gameCurrency: t('admin.products.gameCurrency'),
    regionIds: t('admin.tabs.regions'),
    supportsCodeGeneration: t('admin.products.codeGeneration'),
    codePrefix: t('admin.products.codePrefix'),
    codeGame: t('admin.products.codeGame'),
    buysOnDemand: t('admin.products.onDemand'),
    pricing: t('admin.products.pricing'),
    playerCheck: t('admin.products.playerCheck'),
    promisedMinutes: t('admin.products.promisedMinutes'),
    presets: t('admin.products.presets'),
    receiptTax: t('admin.fiscal.tax'),
    receiptSubject: t('admin.fiscal.subject'),
    receiptMode: t('admin.fiscal.mode'),
    receiptIkpu: t('admin.fiscal.ikpu'),
    receiptPackageCode: t('admin.fiscal.packageCode'),
    receiptVatPercent: t('admin.fiscal.vatPercent'),
    isActive: t('admin.products.active'),
  }
  const { tax: receiptTax, subject: receiptSubject, mode: receiptMode } = receiptChoices(t)
  const choices = {
    receiptTax,
    receiptSubject,
    receiptMode,
    regionIds: toIdOptions(regions),
    codeGame: games,
    kind: toOptions(kindNames, (kind) => t(kindNames[kind])),
    pricing: toOptions(pricingNames, (pricing) => t(pricingNames[pricing])),
    playerCheck: toOptions(checkNames, (check) => t(checkNames[check])),
  }
  return { labels, choices }
}
