import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SideView } from '../list/SideView.tsx'
import { Conflict, type Names } from './Conflict.tsx'
import { RefusalAlert } from './RefusalAlert.tsx'
import type { AdminForm } from './use-admin-form.ts'

interface FormDrawerProps<Values> extends Names {
  title: string
  onClose(): void
  form: AdminForm<Values>
  submitLabel?: string
  /** The fields. */
  children: ReactNode
}

/** A form at the side of the list it belongs to. It is there for as long as it is rendered. */
export function FormDrawer<Values>({ title, onClose, form, submitLabel, children, ...names }: FormDrawerProps<Values>) {
  const { t } = useTranslation()
  const isInConflict = form.foreignChanges.length > 0
  return (
    <SideView title={title} onClose={onClose} size="lg" closeLabel={t('admin.form.cancel')}>
      <form onSubmit={form.submit} noValidate>
        <Stack>
          {children}
          <RefusalAlert text={form.refusal} />
          <Conflict form={form} {...names} />
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
