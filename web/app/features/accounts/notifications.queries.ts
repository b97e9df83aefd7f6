import type { NotificationKind, Notifications, notificationsApi } from '@olmos/contract/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'

const read = caller<typeof notificationsApi.read>('GET /profile/notifications')
const change = caller<typeof notificationsApi.change>('PUT /profile/notifications')
const startTelegram = caller<typeof notificationsApi.startTelegram>('POST /profile/telegram')
const endTelegram = caller<typeof notificationsApi.endTelegram>('DELETE /profile/telegram')

/** What the customer is told by Telegram and e-mail; read again now and then, because "start" is pressed elsewhere. */
export const useNotifications = () =>
  useQuery({
    queryKey: queryKeys.notifications,
    queryFn: async ({ signal }) => (await read({}, { signal })).data,
    refetchInterval: WEB_LIMITS.ordersRefreshMs,
    staleTime: 0,
  })

type Channel = Notifications['ways'][number]['channel']

/** Turns a notification on or off optimistically, with rollback when the store refuses. */
export function useTurnNotification() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { channel: Channel; kind: NotificationKind; is_on: boolean }) => change({ body }),
    onMutate: async ({ channel, kind, is_on }) => {
      await client.cancelQueries({ queryKey: queryKeys.notifications })
      const toKinds = (kinds: NotificationKind[]) =>
        is_on ? [...kinds, kind] : kinds.filter((known) => known !== kind)
      const before = client.getQueryData<Notifications>(queryKeys.notifications)
      client.setQueryData<Notifications>(
        queryKeys.notifications,
        before && {
          ...before,
          ways: before.ways.map((way) => (way.channel === channel ? { ...way, kinds: toKinds(way.kinds) } : way)),
        },
      )
      return { before }
    },
    onError: (_error, _sent, context) => client.setQueryData(queryKeys.notifications, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.notifications }),
  })
}

/** Asks for a link to the bot. Each one ends the one before. */
export const useLinkTelegram = () =>
  useMutation({
    mutationFn: async (currentPassword: string) => (await startTelegram({ body: { currentPassword } })).data.link,
    retry: false,
  })

export function useUnlinkTelegram() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => endTelegram({}),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.notifications }),
  })
}
