import { ColorInput, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { ListedPromotion } from '@olmos/contract/promotions'
import { badgeStyle } from '../../features/promotions/badge-style.ts'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useAllCoupons } from '../coupons/coupons.queries.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import {
  type PromotionValues,
  removePromotion,
  savePromotion,
  usePromotionSwitch,
  usePromotions,
} from './promotions.queries.ts'

export default function PromotionsTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
      permission="catalogue.write"
      list={usePromotions()}
      columns={usePromotionColumns()}
      searchLabel={t('admin.promotions.search')}
      empty={t('admin.promotions.empty')}
      addLabel={t('admin.promotions.add')}
      toName={(promotion) => promotion.text}
      form={(promotion, close) => <PromotionForm promotion={promotion} onClose={close} />}
      removeDialog={(promotion, close) => <RemovePromotion promotion={promotion} onClose={close} />}
    />
  )
}

function usePromotionColumns(): Column<ListedPromotion>[] {
  const { t } = useTranslation()
  const turn = usePromotionSwitch()
  return [
    {
      title: t('admin.promotions.text'),
      sort: 'text',
      isHead: true,
      cell: ({ text, background_color }) => <PromotionBadge text={text} color={background_color} />,
    },
    {
      title: t('admin.promotions.color'),
      isSecondary: true,
      cell: (promotion) => <code>{promotion.background_color}</code>,
    },
    {
      title: t('admin.promotions.translations'),
      cell: ({ translations }) => Object.keys(translations).join(', ').toUpperCase(),
    },
    { title: t('admin.promotions.coupon'), cell: ({ coupon }) => coupon && <code translate="no">{coupon}</code> },
    columns.toggle(
      { title: t('admin.promotions.active'), sort: 'is_active', isState: true },
      {
        permission: 'catalogue.write',
        label: (promotion) => t('admin.promotions.activeOf', { name: promotion.text }),
        isOn: (promotion) => promotion.is_active,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    { ...columns.created(t), isSecondary: true },
  ]
}

function RemovePromotion({ promotion, onClose }: { promotion: ListedPromotion; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ActionDialog
      title={t('admin.promotions.removeTitle')}
      takesAlong={[t('admin.promotions.takesTranslations', { count: Object.keys(promotion.translations).length })]}
      noun="promotions"
      send={() => removePromotion(promotion)}
      onClose={onClose}
    >
      <div>
        <PromotionBadge text={promotion.text} color={promotion.background_color} />
      </div>
    </ActionDialog>
  )
}

const firstColor = '#7c3aed'
const colors = ['#7c3aed', '#0a7ab8', '#0b7a43', '#b4232f', '#d97706', '#111827']

const toValues = (promotion: ListedPromotion | undefined): PromotionValues => ({
  text: promotion?.text ?? '',
  translations: { en: promotion?.translations.en ?? '', uz: promotion?.translations.uz ?? '' },
  background_color: promotion?.background_color ?? firstColor,
  is_active: promotion?.is_active ?? true,
  coupon: promotion?.coupon ?? '',
})

/** Shows a promotion the way the home page does. */
const PromotionBadge = ({ text, color }: { text: string; color: string }) => (
  <span style={{ ...badgeStyle(color), display: 'inline-block' }}>{text}</span>
)

interface PromotionFormProps {
  promotion: ListedPromotion | undefined
  onClose(): void
}

function PromotionForm({ promotion, onClose }: PromotionFormProps) {
  const { t } = useTranslation()
  const saving = useAdminForm({
    noun: 'promotions',
    row: promotion,
    toValues,
    send: (values, version) => savePromotion(promotion, values, version),
    onSaved: onClose,
  })
  const { form } = saving
  const coupons = useAllCoupons()
  const codes = new Set(coupons.data?.map(({ code }) => code)).add(promotion?.coupon ?? '')
  const { text, translations, background_color } = form.values
  const labels = {
    text: t('admin.promotions.text'),
    'translations.en': languageNames.en,
    'translations.uz': languageNames.uz,
    background_color: t('admin.promotions.color'),
    is_active: t('admin.promotions.active'),
    coupon: t('admin.promotions.coupon'),
  }
  return (
    <FormDrawer
      title={promotion ? t('admin.promotions.edit') : t('admin.promotions.add')}
      onClose={onClose}
      form={saving}
      labels={labels}
    >
      <TextInput
        label={languageNames.ru}
        description={t('admin.promotions.textHint')}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('text')}
      />
      <TextInput label={languageNames.en} maxLength={200} {...form.getInputProps('translations.en')} />
      <TextInput label={languageNames.uz} maxLength={200} {...form.getInputProps('translations.uz')} />
      <ColorInput
        label={labels.background_color}
        format="hex"
        swatches={colors}
        eyeDropperButtonProps={{ 'aria-label': t('admin.promotions.pickColor') }}
        {...form.getInputProps('background_color')}
      />
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {t('admin.promotions.preview')}
        </Text>
        <Stack gap="xs" align="flex-start">
          {[text, translations.en, translations.uz].filter(Boolean).map((shown) => (
            <PromotionBadge key={shown} text={shown} color={background_color} />
          ))}
        </Stack>
      </Stack>
      <NativeSelect
        label={labels.coupon}
        data={[...codes].sort().map((code) => ({ value: code, label: code || t('admin.promotions.noCoupon') }))}
        {...form.getInputProps('coupon')}
      />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
