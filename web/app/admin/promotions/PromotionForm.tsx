import { ColorInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { ListedPromotion } from '@olmos/contract/promotions'
import { useTranslation } from 'react-i18next'
import { badgeStyle } from '../../features/promotions/badge-style.ts'
import { languageNames } from '../../i18n/languages.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { type PromotionValues, savePromotion } from './promotions.queries.ts'

const firstColor = '#7c3aed'
const colors = ['#7c3aed', '#0a7ab8', '#0b7a43', '#b4232f', '#d97706', '#111827']

const toValues = (promotion: ListedPromotion | undefined): PromotionValues => ({
  text: promotion?.text ?? '',
  translations: { en: promotion?.translations.en ?? '', uz: promotion?.translations.uz ?? '' },
  background_color: promotion?.background_color ?? firstColor,
  is_active: promotion?.is_active ?? true,
})

/** Shows a promotion the way the home page does. */
export const PromotionBadge = ({ text, color }: { text: string; color: string }) => (
  <span style={{ ...badgeStyle(color), display: 'inline-block' }}>{text}</span>
)

interface PromotionFormProps {
  promotion: ListedPromotion | undefined
  onClose(): void
}

export function PromotionForm({ promotion, onClose }: PromotionFormProps) {
  const { t } = useTranslation()
  const saving = useAdminForm({
    noun: 'promotions',
    row: promotion,
    toValues,
    send: (values, version) => savePromotion(promotion, values, version),
    onSaved: onClose,
  })
  const { form } = saving
  const { text, translations, background_color } = form.values
  const labels = {
    text: t('admin.promotions.text'),
    'translations.en': languageNames.en,
    'translations.uz': languageNames.uz,
    background_color: t('admin.promotions.color'),
    is_active: t('admin.promotions.active'),
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
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
