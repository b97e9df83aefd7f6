import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { Option } from '../list/FilterSelect.tsx'
import type { AdminForm } from './use-admin-form.ts'

/** How a conflict names fields and their values. */
export interface Names {
  /** Names of the fields by their paths. */
  labels: Readonly<Record<string, string>>
  /** The options of fields whose value is an id or a keyword. */
  choices?: Readonly<Record<string, readonly Option[]>>
  /** How the values of fields are said that are neither texts nor lists of them. */
  read?: Readonly<Record<string, (value: unknown) => string>>
}

interface ConflictProps<Values> extends Names {
  form: AdminForm<Values>
}

/** Shows what another admin saved meanwhile, and asks which edit wins. */
export function Conflict<Values>({ form, labels, choices = {}, read = {} }: ConflictProps<Values>) {
  const { t } = useTranslation()
  if (form.foreignChanges.length === 0) return null
  const shown = (value: unknown, field: string): string => {
    if (read[field]) return read[field](value) || '—'
    if (Array.isArray(value)) return value.map((one) => shown(one, field)).join(', ') || '—'
    if (typeof value === 'boolean') return t(value ? 'admin.conflict.yes' : 'admin.conflict.no')
    return (choices[field]?.find((option) => option.value === String(value))?.label ?? String(value)) || '—'
  }
  return (
    <Alert color="yellow" role="alert" title={t('admin.conflict.title')}>
      <Text size="sm">{t('admin.conflict.text')}</Text>
      <List size="sm" my="xs">
        {form.foreignChanges.map(({ field, value }) => (
          <List.Item key={field}>
            {labels[field] ?? field}: <b>{shown(value, field)}</b>
          </List.Item>
        ))}
      </List>
      <Group gap="sm">
        <Button size="xs" variant="default" onClick={form.takeTheirs}>
          {t('admin.conflict.takeTheirs')}
        </Button>
        <Button size="xs" variant="default" onClick={form.keepMine}>
          {t('admin.conflict.keepMine')}
        </Button>
      </Group>
    </Alert>
  )
}
