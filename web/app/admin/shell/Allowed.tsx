import { Text } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import classes from './Allowed.module.css'

interface AllowedProps {
  to: Permission
  children: ReactNode
}

/** Shows its children to those whose role allows what they are for. */
export function Allowed({ to, children }: AllowedProps) {
  return useMay()(to) ? children : null
}

/** Says to others which permission a screen needs, which they may have opened by its address. */
export function AllowedScreen({ to, children }: AllowedProps) {
  return useMay()(to) ? children : <NotAllowed to={to} />
}

export function NotAllowed({ to }: { to: Permission }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('admin.staff.notAllowed')}
      text={t('admin.staff.notAllowedText', { permission: t(`admin.staff.may.${to}`) })}
    />
  )
}

/** Fields that others can only read, and are told so. */
export function AllowedFields({ to, children }: AllowedProps) {
  const isAllowed = useMay()(to)
  return (
    <>
      {!isAllowed && <ReadOnly to={to} />}
      <fieldset disabled={!isAllowed} className={classes.fields}>
        {children}
      </fieldset>
    </>
  )
}

/** Says which permission it takes to change what is shown. */
export function ReadOnly({ to }: { to: Permission }) {
  const { t } = useTranslation()
  return (
    <Text size="sm" c="dimmed" role="note">
      {t('admin.staff.readOnly', { permission: t(`admin.staff.may.${to}`) })}
    </Text>
  )
}
