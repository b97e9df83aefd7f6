import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AdminForm } from './use-admin-form.ts'

type Texts = Readonly<Record<string, string>>

/** What is said of what somebody else changed. */
export interface Names {
  /** Names of the fields by their paths. */
  labels: Texts
  /** Names of what is chosen, for the fields that hold something else for it. */
  choices?: Readonly<Record<string, Texts>>
}

interface ConflictProps<Values> extends Names {
  form: AdminForm<Values>
}

/** What another admin saved meanwhile, and whose word shall stand. */
export function Conflict<Values>({ form, labels, choices = {} }: ConflictProps<Values>) {
  const { t } = useTranslation()
  if (form.foreignChanges.length === 0) return null
  const shown = (value: unknown, field: string): string => {
    if (Array.isArray(value)) return value.map((one) => shown(one, field)).join(', ') || '—'
    if (typeof value === 'boolean') return t(value ? 'admin.conflict.yes' : 'admin.conflict.no')
    return (choices[field]?.[String(value)] ?? String(value)) || '—'
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
