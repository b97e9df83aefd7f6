import { Button, Grid, Group, Stack, Text, Title } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { IconPlus } from '@tabler/icons-react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { Conflict } from '../form/Conflict.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { AllowedFields } from '../shell/Allowed.tsx'
import { type EditedAccount, saveAccountFields, useAccountFields } from './account-fields.queries.ts'
import { FieldCard } from './FieldCard.tsx'
import {
  type FieldsForm,
  type FieldValues,
  fieldsErrors,
  fieldTemplates,
  newField,
  toFieldsForm,
} from './fields-form.ts'
import { TopupPreview } from './TopupPreview.tsx'

/** What a top-up asks its customers for, beside the form that they will meet. */
export function FieldEditor({ product }: { product: EditedProduct }) {
  return (
    <Loaded query={useAccountFields(product.id)} height={320}>
      {(account) => <AccountFieldsForm product={product} account={account} />}
    </Loaded>
  )
}

function AccountFieldsForm({ product, account }: { product: EditedProduct; account: EditedAccount }) {
  const { t } = useTranslation()
  const saving = useAdminForm<FieldsForm, EditedAccount>({
    noun: 'products',
    row: account,
    toValues: toFieldsForm,
    validate: fieldsErrors,
    send: (values, version) => saveAccountFields(product.id, values, version),
  })
  const { form } = saving
  const { fields } = form.values
  const isChanged = form.isDirty()
  const isAllowed = useMay()('catalogue.write')
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <form onSubmit={saving.submit} noValidate>
          <Stack>
            {fields.length === 0 && <Text c="dimmed">{t('admin.accountFields.none')}</Text>}
            <AllowedFields to="catalogue.write">
              <Stack>
                {fields.map(({ id }, index) => (
                  <FieldCard key={id} form={form} index={index} />
                ))}
              </Stack>
            </AllowedFields>
            {isAllowed && <TemplateButtons fields={fields} onAdd={(field) => form.insertListItem('fields', field)} />}
            <RefusalAlert text={form.errors.fields} />
            <RefusalAlert text={saving.refusal} />
            <Conflict
              form={saving}
              labels={{ fields: t('admin.accountFields.title') }}
              read={{ fields: (value) => (value as FieldValues[]).map(({ labels }) => labels.ru).join(', ') }}
            />
            <Group justify="flex-end">
              {isChanged && (
                <Button variant="default" onClick={form.reset}>
                  {t('admin.accountFields.undo')}
                </Button>
              )}
              {isAllowed && (
                <Button type="submit" loading={saving.isBusy} disabled={!isChanged || saving.foreignChanges.length > 0}>
                  {t('admin.form.save')}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <TopupPreview product={product} form={form.values} isSaved={!isChanged} />
      </Grid.Col>
    </Grid>
  )
}

interface TemplateButtonsProps {
  fields: readonly FieldValues[]
  onAdd(field: FieldValues): void
}

/** A button for each field that games usually ask for, and one for any other. */
function TemplateButtons({ fields, onAdd }: TemplateButtonsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        {t('admin.accountFields.add')}
      </Title>
      <Group gap="xs">
        {fieldTemplates.map((template) => (
          <Button
            key={template.key}
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onAdd(newField(template, fields))}
          >
            {template.labels[language] || t('admin.accountFields.other')}
          </Button>
        ))}
      </Group>
    </div>
  )
}
