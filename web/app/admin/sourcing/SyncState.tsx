import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import type { SupplierSync } from '@olmos/contract/supplier-lists'
import { IconRefresh } from '@tabler/icons-react'
import { Ago } from '../../i18n/Ago.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { readCatalogue } from './sourcing.queries.ts'

/** How far a supplier's catalogue has been read, what came of it, and the button that reads it again. */
export function SyncState({ sync }: { sync: SupplierSync }) {
  const { t } = useTranslation()
  const { supplier, state } = sync
  const start = useAdminAction({
    noun: 'sourcing',
    send: (acceptShrunk: boolean) => readCatalogue(supplier, acceptShrunk),
    done: t('admin.sourcing.started'),
  })
  const isUnderWay = state === 'running' || state === 'waiting'
  return (
    <section aria-label={t('admin.sourcing.state')}>
      <Surface>
        <Stack gap="xs">
          <Group justify="space-between">
            <Text size="sm" role="status">
              {t(`admin.sourcing.states.${state}`)}
              {sync.completed_at && !isUnderWay && (
                <>
                  {' '}
                  <Ago at={sync.completed_at} />
                </>
              )}
            </Text>
            <Allowed to="suppliers.write">
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={start.isPending}
                disabled={isUnderWay}
                onClick={() => start.mutate(false)}
              >
                {t('admin.sourcing.readNow')}
              </Button>
            </Allowed>
          </Group>
          {isUnderWay && <Reading sync={sync} />}
          <Text size="sm" c="dimmed">
            {t('admin.sourcing.counts', {
              services: sync.services,
              products: sync.products,
              fresh: sync.new_products,
              gone: sync.gone_products,
            })}
          </Text>
          <Trouble sync={sync} onAccept={() => start.mutate(true)} />
          <RefusalAlert text={start.refusal} />
        </Stack>
      </Surface>
    </section>
  )
}

function Reading({ sync: { phase, services, services_read } }: { sync: SupplierSync }) {
  const { t } = useTranslation()
  const share = phase === 'sources' ? 100 : services === 0 ? 0 : Math.round((services_read / services) * 100)
  return (
    <>
      <Progress value={phase === 'services' ? 0 : share} aria-label={t('admin.sourcing.state')} />
      <Text size="sm" c="dimmed">
        {t(`admin.sourcing.phases.${phase}`, { read: services_read, services })}
      </Text>
    </>
  )
}

/** Why it failed or waits, which games could not be read and which rows were left out. */
function Trouble({ sync, onAccept }: { sync: SupplierSync; onAccept(): void }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const { reason, services_failed, rejected, rejected_rows } = sync
  const isShrunk = reason === 'shrunk'
  return (
    <>
      {reason !== null && (
        <Alert color={sync.state === 'failed' ? 'red' : 'yellow'} role="alert">
          <Text size="sm">{isShrunk ? t('admin.sourcing.shrunk') : reasonText(reason)}</Text>
          {isShrunk && (
            <Allowed to="suppliers.write">
              <Button variant="default" size="compact-sm" mt="xs" onClick={onAccept}>
                {t('admin.sourcing.acceptShrunk')}
              </Button>
            </Allowed>
          )}
        </Alert>
      )}
      {services_failed > 0 && (
        <Text size="sm" c="var(--olmos-wait)">
          {t('admin.sourcing.notRead', { count: services_failed })}
        </Text>
      )}
      {rejected_rows > 0 && (
        <details>
          <Text component="summary" size="sm" c="var(--olmos-wait)">
            {t('admin.sourcing.leftOut', { count: rejected_rows })}
          </Text>
          <List size="sm" mt="xs">
            {rejected.map(({ reference, name, reason: fault }) => (
              <List.Item key={`${reference} ${fault}`}>
                {name} ({reference}): {t(`admin.sourcing.faults.${fault}`)}
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </>
  )
}
