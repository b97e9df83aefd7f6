import { Box, Button, Group, Stack, Text } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import type { KeptVersion } from '@olmos/contract/versions'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Change } from '../audit/Change.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { RowButton } from '../list/RowButtons.tsx'
import { SideView } from '../list/SideView.tsx'
import { useAdminRead } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'

/** Something that is kept in versions: how they are read, and by whom and how an older one is brought back. */
export interface History {
  noun: AdminNoun
  /** Which thing of the noun it is. */
  key: string | number
  permission: Permission
  read(sent: object, options: { signal: AbortSignal }): Promise<{ data: KeptVersion[] }>
  restore(restored: number, seen: number): Promise<unknown>
}

interface VersionsProps {
  history: History
  /** What the thing is called, where the button is one of a row. */
  name?: string
}

/** A button that shows what was in force before, and brings it back. */
export function Versions({ history, name }: VersionsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  return (
    <>
      {name === undefined ? (
        <Button variant="subtle" leftSection={<IconHistory size={18} aria-hidden />} onClick={open}>
          {t('admin.shop.history')}
        </Button>
      ) : (
        <RowButton icon={IconHistory} label={t('admin.shop.historyOf', { name })} onClick={open} />
      )}
      {isOpen && <VersionList history={history} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

function VersionList({ history, name, onClose }: VersionsProps & { name: string | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { noun, key, permission, read, restore } = history
  const query = useAdminRead(queryKeys.admin.noun(noun, 'versions', key), read, {})
  const restoring = useAdminAction({
    noun,
    send: ({ version, seen }: { version: number; seen: number }) => restore(version, seen),
    done: t('admin.shop.restored'),
    onDone: onClose,
  })
  return (
    <SideView
      title={name === undefined ? t('admin.shop.history') : t('admin.shop.historyOf', { name })}
      onClose={onClose}
    >
      <Loaded query={query} height={240} empty={<Text c="dimmed">{t('admin.shop.noVersions')}</Text>}>
        {(versions) => (
          <Stack>
            <RefusalAlert text={restoring.refusal} />
            {versions.map(({ version, changed_at, changed_by, value }, at) => (
              <Group key={version} justify="space-between" align="flex-start" wrap="nowrap">
                <Box flex={1} miw={0}>
                  <Text size="sm" c="dimmed">
                    <Moment at={changed_at} /> {changed_by ?? t('admin.shop.byTheStore')}
                  </Text>
                  <Change entry={{ action: '', before: versions[at + 1]?.value ?? null, after: value }} />
                </Box>
                {at === 0 ? (
                  <Text size="sm">{t('admin.shop.inForce')}</Text>
                ) : (
                  <Allowed to={permission}>
                    <Button
                      variant="default"
                      size="xs"
                      loading={restoring.isPending && restoring.variables.version === version}
                      disabled={restoring.isPending}
                      aria-label={t('admin.shop.restoreVersion', { number: version })}
                      onClick={() => restoring.mutate({ version, seen: versions[0]?.version ?? version })}
                    >
                      {t('admin.shop.restore')}
                    </Button>
                  </Allowed>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </SideView>
  )
}
