import { Badge, Box, NativeSelect, NavLink, Stack, Text, Title } from '@mantine/core'
import type { operationsApi } from '@olmos/contract/operations'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { useOpenAlerts } from '../alerts/alerts.queries.ts'
import { useOperatorsDeliveries } from '../deliveries/deliveries.queries.ts'
import type { TabName } from '../i18n/en.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'
import { useOpenConversations } from '../support/support.queries.ts'
import { tabGroups, type tabs } from '../tabs.ts'
import classes from './AdminLayout.module.css'

/** What every tab stands in: all tabs at its side on a desktop, in a list to choose from on a phone. */
export function AdminLayout({ current, children }: { current: (typeof tabs)[number]; children: ReactNode }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const may = useMay()
  const groups = tabGroups
    .map((group) => ({ ...group, tabs: group.tabs.filter(({ permission }) => may(permission)) }))
    .filter((group) => group.tabs.length > 0)
  const waiting = useWaiting()
  const toLabel = (name: TabName) => {
    const [title, count] = [t(`admin.tabs.${name}`), waiting[name]?.count]
    return count === undefined ? title : t('admin.tabWithCount', { title, count })
  }
  return (
    <Box className={classes.area}>
      <Box component="nav" aria-label={t('admin.menu')} className={classes.menu} visibleFrom="md">
        {groups.map((group) => (
          <Stack key={group.name} gap={2} role="group" aria-label={t(`admin.groups.${group.name}`)}>
            <Text size="xs" c="dimmed" aria-hidden className={classes.group}>
              {t(`admin.groups.${group.name}`)}
            </Text>
            {group.tabs.map(({ name, icon: TabIcon }) => (
              <NavLink
                key={name}
                component={Link}
                to={paths.admin(name)}
                active={name === current.name}
                aria-current={name === current.name ? 'page' : undefined}
                label={t(`admin.tabs.${name}`)}
                leftSection={<TabIcon size={18} aria-hidden />}
                rightSection={waiting[name] && <WaitingBadge {...waiting[name]} />}
                className={classes.link}
              />
            ))}
          </Stack>
        ))}
      </Box>
      <Box className={classes.screen}>
        <NativeSelect
          hiddenFrom="md"
          mb="md"
          size="md"
          aria-label={t('admin.menu')}
          value={current.name}
          onChange={(event) => navigate(paths.admin(event.currentTarget.value))}
          data={groups.map((group) => ({
            group: t(`admin.groups.${group.name}`),
            items: group.tabs.map(({ name }) => ({ value: name, label: toLabel(name) })),
          }))}
        />
        <Title order={1} size="h2" mb="md" className={classes.title}>
          {t(`admin.tabs.${current.name}`)}
        </Title>
        {children}
        <Version />
      </Box>
    </Box>
  )
}

/** What waits in a tab, and how it is said. */
interface Waiting {
  count: number
  text: string
  color: 'gray' | 'red'
}

/** How much waits in which tab for who may look at it; nothing of what does not. */
function useWaiting(): Partial<Record<TabName, Waiting>> {
  const { t } = useTranslation()
  const { open } = useOpenAlerts()
  const [deliveries, conversations] = [useOperatorsDeliveries(), useOpenConversations()]
  return {
    ...(open > 0 && { alerts: { count: open, text: t('admin.alerts.unseen', { count: open }), color: 'red' } }),
    ...(deliveries > 0 && {
      deliveries: { count: deliveries, text: t('admin.deliveries.yours', { count: deliveries }), color: 'red' },
    }),
    ...(conversations > 0 && {
      support: { count: conversations, text: t('admin.support.waiting', { count: conversations }), color: 'gray' },
    }),
  }
}

const WaitingBadge = ({ count, text, color }: Waiting) => (
  // White does not read on the gray of a filled one.
  <Badge color={color} variant={color === 'gray' ? 'light' : 'filled'} role="img" aria-label={text}>
    {gameNumber(count)}
  </Badge>
)

const readHealth = caller<typeof operationsApi.health>('GET /health')

/** Which version and build of Olmos this is, for who asks for help or looks whether an update has arrived. */
function Version() {
  const { t } = useTranslation()
  const { data } = useAdminQuery(queryKeys.admin.noun('version'), (signal) => readHealth({}, { signal }), {
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return null
  return (
    <Text size="xs" c="dimmed" mt="lg">
      {data.build
        ? t('admin.versionAndBuild', { version: data.version, build: data.build })
        : t('admin.version', { version: data.version })}
    </Text>
  )
}
