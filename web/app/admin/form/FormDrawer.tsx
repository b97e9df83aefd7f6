import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SideView } from '../list/SideView.tsx'
import type { AdminForm, ForeignChange } from './use-admin-form.ts'

interface FormDrawerProps<Values> {
  title: string
  onClose(): void
  form: AdminForm<Values>
  /** Names of the fields, to say what somebody else changed. */
  labels: Partial<Record<keyof Values & string, string>>
  submitLabel?: string
  /** The fields. */
  children: ReactNode
}

/** A form at the side of the list it belongs to. It is there for as long as it is rendered. */
export function FormDrawer<Values>({ title, onClose, form, labels, submitLabel, children }: FormDrawerProps<Values>) {
  const { t } = useTranslation()
  const isInConflict = form.foreignChanges.length > 0
  return (
    <SideView title={title} onClose={onClose} size="lg" closeLabel={t('admin.form.cancel')}>
      <form onSubmit={form.submit} noValidate>
        <Stack>
          {children}
          {form.refusal && (
            <Alert color="red" role="alert">
              {form.refusal}
            </Alert>
          )}
          {isInConflict && <Conflict form={form} labels={labels} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('admin.form.cancel')}
            </Button>
            <Button type="submit" loading={form.isBusy} disabled={isInConflict}>
              {submitLabel ?? t('admin.form.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SideView>
  )
}

/** What another admin saved meanwhile, and whose word shall stand. */
function Conflict<Values>({ form, labels }: Pick<FormDrawerProps<Values>, 'form' | 'labels'>) {
  const { t } = useTranslation()
  const name = ({ field }: ForeignChange) => labels[field as keyof typeof labels] ?? field
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

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
