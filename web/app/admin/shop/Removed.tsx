import { Button, Group, Stack, Text } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import type { RemovedThing } from '@olmos/contract/versions'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { useAdminRead } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'

/** Things that are kept in versions after they were removed: how they are read, and by whom and how one is brought back. */
export interface Bin {
  noun: AdminNoun
  permission: Permission
  read(sent: object, options: { signal: AbortSignal }): Promise<{ data: RemovedThing[] }>
  toName(removed: RemovedThing): string
  restore(removed: RemovedThing): Promise<unknown>
}

/** A button that shows what was removed, and brings it back. */
export function Removed({ bin }: { bin: Bin }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Allowed to={bin.permission}>
      <Button variant="subtle" leftSection={<IconTrash size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('admin.shop.removed')}
      </Button>
      {isOpen && <RemovedList bin={bin} onClose={() => setOpen(false)} />}
    </Allowed>
  )
}

function RemovedList({ bin, onClose }: { bin: Bin; onClose(): void }) {
  const { t } = useTranslation()
  const query = useAdminRead(queryKeys.admin.noun(bin.noun, 'removed'), bin.read, {})
  const restoring = useAdminAction({
    noun: bin.noun,
    send: bin.restore,
    done: t('admin.shop.restored'),
    onDone: onClose,
  })
  return (
    <SideView title={t('admin.shop.removed')} onClose={onClose}>
      <Loaded query={query} height={160} empty={<Text c="dimmed">{t('admin.shop.nothingRemoved')}</Text>}>
        {(removed) => (
          <Stack>
            <RefusalAlert text={restoring.refusal} />
            {removed.map((one) => (
              <Group key={one.id} justify="space-between" wrap="nowrap">
                <div>
                  <Text>{bin.toName(one)}</Text>
                  <Text size="sm" c="dimmed">
                    {t('admin.shop.lastChanged')} <Moment at={one.changed_at} />{' '}
                    {one.changed_by ?? t('admin.shop.byTheStore')}
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  loading={restoring.isPending && restoring.variables.id === one.id}
                  disabled={restoring.isPending}
                  aria-label={t('admin.shop.restoreRemoved', { name: bin.toName(one) })}
                  onClick={() => restoring.mutate(one)}
                >
                  {t('admin.shop.restore')}
                </Button>
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </SideView>
  )
}
