import { Button, Group, Stack, Text } from '@mantine/core'
import type { ShopSection } from '@olmos/contract/shop'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { restoreVersion, useShopVersions } from './shop.queries.ts'

interface VersionsProps {
  section: ShopSection
  /** The version in force. */
  current: number
}

/** A button that shows what was in force before, and brings it back. */
export function Versions(props: VersionsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="subtle" leftSection={<IconHistory size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('admin.shop.history')}
      </Button>
      {isOpen && <VersionList {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function VersionList({ section, current, onClose }: VersionsProps & { onClose(): void }) {
  const { t } = useTranslation()
  const restoring = useAdminAction({
    noun: 'shop',
    send: (version: number) => restoreVersion(section, version, current),
    done: t('admin.shop.restored'),
    onDone: onClose,
  })
  return (
    <SideView title={t('admin.shop.history')} onClose={onClose}>
      <Loaded query={useShopVersions(section)} height={240}>
        {(versions) => (
          <Stack>
            <RefusalAlert text={restoring.refusal} />
            {versions.map(({ version, changed_at, changed_by, value }, at) => (
              <Group key={version} justify="space-between" align="flex-start" wrap="nowrap">
                <div>
                  <Text size="sm" c="dimmed">
                    <Moment at={changed_at} /> {changed_by ?? t('admin.shop.byTheStore')}
                  </Text>
                  <Text style={{ overflowWrap: 'anywhere' }}>{toSummary(value, versions[at + 1]?.value)}</Text>
                </div>
                {version === current ? (
                  <Text size="sm">{t('admin.shop.inForce')}</Text>
                ) : (
                  <Allowed to="settings.write">
                    <Button
                      variant="default"
                      size="xs"
                      loading={restoring.isPending && restoring.variables === version}
                      disabled={restoring.isPending}
                      aria-label={t('admin.shop.restoreVersion', { number: version })}
                      onClick={() => restoring.mutate(version)}
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

type Value = Readonly<Record<string, unknown>>

/** What a version says otherwise than the one before it; all it says where there is none before it. */
function toSummary(value: Value, before: Value = {}): string {
  const leaves = (of: Value, place = ''): [string, unknown][] =>
    Object.entries(of).flatMap(([name, part]): [string, unknown][] => {
      if (Array.isArray(part) && part.every((one) => typeof one !== 'object')) return [[place + name, part.join(', ')]]
      return typeof part === 'object' && part !== null
        ? leaves(part as Value, `${place}${name}.`)
        : [[place + name, part]]
    })
  const known = new Map(leaves(before))
  const now = leaves(value)
  const changed = now.filter(([name, part]) => known.get(name) !== part).map(([, part]) => String(part ?? '—'))
  const names = new Set(now.map(([name]) => name))
  const gone = [...known].filter(([name]) => !names.has(name)).map(([, part]) => `− ${String(part)}`)
  return [...changed, ...gone].join(' · ') || '—'
}
