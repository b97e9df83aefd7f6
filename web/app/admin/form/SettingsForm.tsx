import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { Surface } from '../../ui/Surface.tsx'
import { AllowedFields } from '../shell/Allowed.tsx'
import { Conflict, type Names } from './Conflict.tsx'
import { RefusalAlert } from './RefusalAlert.tsx'
import type { AdminForm } from './use-admin-form.ts'

interface SettingsFormProps<Values> extends Names {
  form: AdminForm<Values>
  /** Without it the settings can only be read. */
  permission: Permission
  /** The id of the heading that names the form. */
  id: string
  /** That heading, unless it stands above the form. */
  title?: string
  /** What the settings are about, above the fields. */
  text?: ReactNode
  /** What stands beside the button. */
  aside?: ReactNode
  /** The fields. */
  children: ReactNode
}

/** Settings that are edited where they stand. They can be saved once one of them is changed. */
export function SettingsForm<Values>({
  form,
  permission,
  id,
  title,
  text,
  aside,
  children,
  ...names
}: SettingsFormProps<Values>) {
  const { t } = useTranslation()
  const isAllowed = useMay()(permission)
  return (
    <form onSubmit={form.submit} noValidate aria-labelledby={id}>
      <Surface p={{ base: 'md', sm: 'lg' }} maw={960}>
        <Stack>
          {title && (
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
          )}
          <AllowedFields to={permission}>
            <Stack>
              {text && (
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              )}
              {children}
            </Stack>
          </AllowedFields>
          <RefusalAlert text={form.refusal} />
          <Conflict form={form} {...names} />
          <Group justify="space-between">
            {isAllowed && (
              <Button
                type="submit"
                loading={form.isBusy}
                disabled={!form.form.isDirty() || form.foreignChanges.length > 0}
              >
                {t('admin.form.save')}
              </Button>
            )}
            {aside}
          </Group>
        </Stack>
      </Surface>
    </form>
  )
}
