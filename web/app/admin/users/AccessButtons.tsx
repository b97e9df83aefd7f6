import { Button, Group, Text, Title } from '@mantine/core'
import type { ListedUser } from '@olmos/contract/users'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { setBlocked, setRole } from './users.queries.ts'

/** Who may do what: the role, and whether the user may come in at all. */
export function AccessButtons({ user }: { user: ListedUser }) {
  const { t } = useTranslation()
  const [wish, setWish] = useState<'role' | 'blocked'>()
  const close = () => setWish(undefined)
  const role = useAdminAction({
    noun: 'users',
    send: () => setRole(user, user.role === 'admin' ? 'customer' : 'admin'),
    done: t('admin.users.roleSet'),
    onDone: close,
  })
  const block = useAdminAction({
    noun: 'users',
    send: () => setBlocked(user, !user.is_blocked),
    done: t(user.is_blocked ? 'admin.users.unblockedNow' : 'admin.users.blockedNow'),
    onDone: close,
  })
  const roleLabel = t(user.role === 'admin' ? 'admin.users.demote' : 'admin.users.promote')
  return (
    <section aria-labelledby="access">
      <Title order={2} size="h4" mb="sm" id="access">
        {t('admin.users.access')}
      </Title>
      <Group>
        <Button variant="default" onClick={() => setWish('role')}>
          {roleLabel}
        </Button>
        {user.is_blocked ? (
          <Button variant="default" loading={block.isPending} onClick={() => block.mutate(undefined)}>
            {t('admin.users.unblock')}
          </Button>
        ) : (
          <Button variant="default" color="red" onClick={() => setWish('blocked')}>
            {t('admin.users.block')}
          </Button>
        )}
      </Group>
      {wish === 'role' && (
        <ConfirmDialog
          title={`${roleLabel}: ${user.nickname}`}
          name={user.nickname}
          confirmLabel={roleLabel}
          isBusy={role.isPending}
          refusal={role.refusal}
          onConfirm={() => role.mutate(undefined)}
          onClose={close}
        >
          <Text>{t(user.role === 'admin' ? 'admin.users.demoteText' : 'admin.users.promoteText')}</Text>
        </ConfirmDialog>
      )}
      {wish === 'blocked' && (
        <ConfirmDialog
          title={`${t('admin.users.block')}: ${user.nickname}`}
          confirmLabel={t('admin.users.block')}
          isBusy={block.isPending}
          refusal={block.refusal}
          onConfirm={() => block.mutate(undefined)}
          onClose={close}
        >
          <Text>{t('admin.users.blockText')}</Text>
        </ConfirmDialog>
      )}
    </section>
  )
}
