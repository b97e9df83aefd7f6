import { Button, Group, Stack } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { SideView } from '../list/SideView.tsx'
import { AllowedFields } from '../shell/Allowed.tsx'
import { Conflict, type Names } from './Conflict.tsx'
import classes from './FormDrawer.module.css'
import { RefusalAlert } from './RefusalAlert.tsx'
import type { AdminForm } from './use-admin-form.ts'

interface FormDrawerProps<Values> extends Names {
  title: string
  onClose(): void
  form: AdminForm<Values>
  submitLabel?: string
  /** Without it the form can only be read; left out where the way to the form is closed already. */
  permission?: Permission
  /** The fields. */
  children: ReactNode
}

/** A form at the side of the list it belongs to. It is there for as long as it is rendered. */
export function FormDrawer<Values>(props: FormDrawerProps<Values>) {
  const { title, onClose, form, submitLabel, permission, children, ...names } = props
  const { t } = useTranslation()
  const may = useMay()
  const isAllowed = !permission || may(permission)
  const isInConflict = form.foreignChanges.length > 0
  return (
    <SideView
      title={title}
      onClose={onClose}
      size="lg"
      closeLabel={t('admin.form.cancel')}
      isUnsaved={form.form.isDirty()}
    >
      {(leave) => (
        <form onSubmit={form.submit} noValidate className={classes.form}>
          <Stack>
            {permission ? (
              <AllowedFields to={permission}>
                <Stack>{children}</Stack>
              </AllowedFields>
            ) : (
              children
            )}
            <RefusalAlert text={form.refusal} />
            <Conflict form={form} {...names} />
            <Group justify="flex-end" className={classes.buttons}>
              <Button variant="default" onClick={leave}>
                {t('admin.form.cancel')}
              </Button>
              {isAllowed && (
                <Button type="submit" loading={form.isBusy} disabled={isInConflict}>
                  {submitLabel ?? t('admin.form.save')}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </SideView>
  )
}
