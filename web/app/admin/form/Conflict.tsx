import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AdminForm, ForeignChange } from './use-admin-form.ts'

interface ConflictProps<Values> {
  form: AdminForm<Values>
  /** Names of the fields, to say what somebody else changed. */
  labels: Partial<Record<keyof Values & string, string>>
}

/** What another admin saved meanwhile, and whose word shall stand. */
export function Conflict<Values>({ form, labels }: ConflictProps<Values>) {
  const { t } = useTranslation()
  if (form.foreignChanges.length === 0) return null
  const name = ({ field }: ForeignChange) => labels[field as keyof typeof labels] ?? field
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'admin.conflict.yes' : 'admin.conflict.no')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return (
    <Alert color="yellow" role="alert" title={t('admin.conflict.title')}>
      <Text size="sm">{t('admin.conflict.text')}</Text>
      <List size="sm" my="xs">
        {form.foreignChanges.map((change) => (
          <List.Item key={change.field}>
            {name(change)}: <b>{shown(change.value)}</b>
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
