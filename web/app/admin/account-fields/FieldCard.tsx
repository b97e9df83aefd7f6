import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import * as LIMITS from '@olmos/contract/limits'
import type { AccountFieldType } from '@olmos/contract/topup-data'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toOptions } from '../list/FilterSelect.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import classes from './FieldCard.module.css'
import { type FieldsForm, type FieldValues, isNew, newOption, withOptions } from './fields-form.ts'

interface FieldProps {
  form: UseFormReturnType<FieldsForm>
  index: number
}

/** One field of an account in a line, which opens to edit it, and its place among the others. */
export function FieldCard({ form, index }: FieldProps) {
  const { t } = useTranslation()
  const { fields } = form.values
  const field = fields[index]
  const [isOpened, setOpened] = useState(field !== undefined && isNew(field))
  if (!field) return null
  const place = `fields.${index}`
  const name = field.labels.ru || field.key || t('admin.accountFields.other')
  const isOpen = isOpened || Object.keys(form.errors).some((path) => path.startsWith(`${place}.`))
  return (
    <Paper withBorder pos="relative">
      {/* Also who may only read opens it: a summary is no field that could be disabled. */}
      <details open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
        <summary className={classes.summary}>
          <Text span fw={600}>
            {index + 1}. {name}
          </Text>{' '}
          <Text span display="inline-block" size="sm" c="dimmed">
            {t(typeNames[field.type])}
            {field.isRequired && ` · ${t('admin.accountFields.isRequired')}`}
          </Text>
        </summary>
        {isOpen && <FieldInputs form={form} index={index} field={field} />}
      </details>
      <Group gap={4} wrap="nowrap" className={classes.buttons}>
        <RowButtons
          name={name}
          place={{
            index,
            count: fields.length,
            onMove: (to) => form.reorderListItem('fields', { from: index, to }),
          }}
          onRemove={() => form.removeListItem('fields', index)}
        />
      </Group>
    </Paper>
  )
}

function FieldInputs({ form, index, field }: FieldProps & { field: FieldValues }) {
  const { t } = useTranslation()
  const { fields } = form.values
  const place = `fields.${index}`
  return (
    <Stack gap="sm" p="md" pt={6}>
      <Switch
        label={t('admin.accountFields.required')}
        {...form.getInputProps(`${place}.isRequired`, { type: 'checkbox' })}
      />
      <InLanguages form={form} path={`${place}.labels`} label={t('admin.accountFields.label')} maxLength={100} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label={t('admin.accountFields.type')}
          data={toOptions(typeNames, (type) => t(typeNames[type]))}
          value={field.type}
          onChange={(event) => {
            const type = event.currentTarget.value as AccountFieldType
            form.setFieldValue('fields', fields.with(index, withOptions({ ...field, type })))
          }}
        />
        <TextInput
          label={t('admin.accountFields.key')}
          description={t('admin.accountFields.keyHint')}
          required
          maxLength={32}
          spellCheck={false}
          autoCapitalize="none"
          {...form.getInputProps(`${place}.key`)}
        />
      </SimpleGrid>
      {field.type === 'select' ? <Options form={form} index={index} /> : <Shape form={form} index={index} />}
      <InLanguages
        form={form}
        path={`${place}.hints`}
        label={t('admin.accountFields.hint')}
        maxLength={300}
        isOptional
      />
    </Stack>
  )
}

const typeNames = {
  digits: 'admin.accountFields.types.digits',
  text: 'admin.accountFields.types.text',
  login: 'admin.accountFields.types.login',
  select: 'admin.accountFields.types.select',
  phone: 'admin.accountFields.types.phone',
} as const satisfies Record<AccountFieldType, string>

interface InLanguagesProps {
  form: UseFormReturnType<FieldsForm>
  path: string
  label: string
  maxLength: number
  isOptional?: boolean
}

/** A text in each language, beside each other. Russian stands in for the others. */
function InLanguages({ form, path, label, maxLength, isOptional = false }: InLanguagesProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {shownLanguages.map((language) => (
        <TextInput
          key={language}
          label={`${label}, ${languageNames[language]}`}
          required={!isOptional && language === 'ru'}
          maxLength={maxLength}
          {...form.getInputProps(`${path}.${language}`)}
        />
      ))}
    </SimpleGrid>
  )
}

/** How long a value is, and what it looks like. */
function Shape({ form, index }: FieldProps) {
  const { t } = useTranslation()
  const number = { min: 0, max: LIMITS.accountValueMax, allowNegative: false, hideControls: true }
  const place = `fields.${index}`
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <NumberInput
        label={t('admin.accountFields.lengthMin')}
        allowDecimal={false}
        {...number}
        {...form.getInputProps(`${place}.lengthMin`)}
      />
      <NumberInput
        label={t('admin.accountFields.lengthMax')}
        allowDecimal={false}
        {...number}
        {...form.getInputProps(`${place}.lengthMax`)}
      />
      <TextInput
        label={t('admin.accountFields.pattern')}
        placeholder="[A-Z]{2}\d{4}"
        spellCheck={false}
        autoCapitalize="none"
        maxLength={LIMITS.accountPatternMax}
        {...form.getInputProps(`${place}.pattern`)}
      />
    </SimpleGrid>
  )
}

/** What can be chosen: what is sent to the supplier, and what it is called in each language. */
function Options({ form, index }: FieldProps) {
  const { t } = useTranslation()
  const place = `fields.${index}.options`
  const options = form.values.fields[index]?.options ?? []
  return (
    <Stack gap="xs" role="group" aria-label={t('admin.accountFields.options')}>
      <Text size="sm" fw={500}>
        {t('admin.accountFields.options')}
      </Text>
      {options.map((option, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
          <SimpleGrid flex={1} cols={{ base: 2, sm: 4 }} spacing="xs" verticalSpacing={4}>
            <TextInput
              aria-label={t('admin.accountFields.optionValue', { number: at + 1 })}
              placeholder={t('admin.accountFields.value')}
              spellCheck={false}
              maxLength={100}
              {...form.getInputProps(`${place}.${at}.value`)}
            />
            {shownLanguages.map((language) => (
              <TextInput
                key={language}
                aria-label={`${t('admin.accountFields.optionLabel', { number: at + 1 })}, ${languageNames[language]}`}
                placeholder={languageNames[language]}
                maxLength={100}
                {...form.getInputProps(`${place}.${at}.labels.${language}`)}
              />
            ))}
          </SimpleGrid>
          <RowButtons
            name={option.labels.ru || option.value || String(at + 1)}
            onRemove={() => form.removeListItem(place, at)}
          />
        </Group>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => form.insertListItem(place, newOption())}
      >
        {t('admin.accountFields.addOption')}
      </Button>
    </Stack>
  )
}
