import * as LIMITS from '@olmos/contract/limits'
import type { ordersApi } from '@olmos/contract/orders'
import type { NewSupportMessage, OpenedTalk, supportApi } from '@olmos/contract/support'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { caller } from '../../api/client.ts'
import { useLiveRefetch } from '../../api/live-refetch.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { keepText, readText } from '../../ui/stored-text.ts'
import { useSeen } from './use-seen.ts'

const send = caller<typeof supportApi.send>('POST /support')
const list = caller<typeof ordersApi.list>('GET /orders')
const listTalks = caller<typeof supportApi.own>('GET /support/conversations')
const openOwn = caller<typeof supportApi.open>('GET /support/conversations/:id')
const writeOwn = caller<typeof supportApi.write>('POST /support/conversations/:id/messages')
const readOwn = caller<typeof supportApi.read>('PUT /support/conversations/:id/read')
const openLinked = caller<typeof supportApi.openLinked>('POST /support/linked')
const writeLinked = caller<typeof supportApi.writeLinked>('POST /support/linked/messages')

/**
 * Sends a message to the shop and forgets its draft, also when one has left the page meanwhile. Not tried again by itself: a
 * message whose answer was lost may have arrived.
 */
export const useSendMessage = (draftName: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewSupportMessage) => send({ body }),
    retry: false,
    onSuccess: () => {
      keepText('visit', draftName, '')
      return client.invalidateQueries({ queryKey: queryKeys.talks.own })
    },
  })
}

/** The latest orders of who is logged in, one of which a message may be about. */
export const useLatestOrders = (isLoggedIn: boolean) =>
  useQuery({
    queryKey: queryKeys.orders.latest(useLanguage()),
    queryFn: async ({ signal }) =>
      (await list({ query: { page: '1', pageSize: String(WEB_LIMITS.ordersPageSize) } }, { signal })).orders,
    enabled: isLoggedIn,
  })

/** Where what is new is heard of, asking is only for what might have been missed. */
const toRefreshMs = (isHeard: boolean) => (isHeard ? WEB_LIMITS.ordersCacheMs : WEB_LIMITS.ordersRefreshMs)

const ownEvents = '/support/conversations/events'

/** The customer's own conversations, the latest first, as they go on. */
export function useOwnTalks() {
  const isHeard = useRef(false)
  useLiveRefetch({ path: ownEvents, queryKey: queryKeys.talks.all, isHeard })
  return useQuery({
    queryKey: queryKeys.talks.own,
    queryFn: async ({ signal }) => (await listTalks({}, { signal })).data,
    refetchInterval: () => toRefreshMs(isHeard.current),
    staleTime: 0,
  })
}

/** A conversation by its id, of who is logged in, or by what the link of a visitor ends with. */
export type TalkPlace = { id: string; linkToken?: undefined } | { id?: undefined; linkToken: string }

const toKey = ({ id, linkToken }: TalkPlace): string => id ?? `link ${linkToken}`

const readTalk = ({ id, linkToken }: TalkPlace, shown: number, signal: AbortSignal) =>
  id === undefined
    ? openLinked({ body: { token: linkToken, shown } }, { signal })
    : openOwn({ params: { id }, query: { shown: String(shown) } }, { signal })

/** A conversation as it goes on, and what shows more of what was said before. */
export function useTalk(place: TalkPlace) {
  const client = useQueryClient()
  const isHeard = useRef(false)
  const [shown, setShown] = useState<number>(LIMITS.talkMessages)
  const key = toKey(place)
  const query = useQuery({
    queryKey: queryKeys.talks.one(key, shown),
    queryFn: ({ signal }) => readTalk(place, shown, signal),
    refetchInterval: () => toRefreshMs(isHeard.current),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const isThere = query.data !== undefined
  useLiveRefetch({
    path: isThere ? (place.id === undefined ? '/support/linked/events' : ownEvents) : undefined,
    ...(place.linkToken !== undefined && { linkToken: place.linkToken }),
    queryKey: queryKeys.talks.one(key),
    isHeard,
  })
  const { id } = place
  useSeen(id !== undefined && query.data?.is_unread ? query.data.last.id : undefined, async (upTo) => {
    await readOwn({ params: { id: id ?? '' }, body: { upTo } })
    client.invalidateQueries({ queryKey: queryKeys.talks.own })
  })
  return { query, showMore: () => setShown(Math.min(shown * 4, LIMITS.talkMessagesMax)) }
}

interface Reply {
  message: string
  /** The last message that was there when it was sent. */
  after: number
}

/** The name of what is typed in a conversation and not sent yet, for this visit. */
export const replyDraft = ({ id }: { id: number }): string => `reply:${id}`

/**
 * Writes in a conversation. Not tried again by itself: a message whose answer was lost may have arrived, and is no draft any
 * more once the conversation shows it.
 */
export function useReply(place: TalkPlace, talk: OpenedTalk) {
  const client = useQueryClient()
  const reply = useMutation({
    mutationFn: ({ message }: Reply) =>
      place.id === undefined
        ? writeLinked({ body: { token: place.linkToken, message } })
        : writeOwn({ params: { id: place.id }, body: { message } }),
    retry: false,
    onSuccess: (talk) => {
      keepText('visit', replyDraft(talk), '')
      client.setQueryData(queryKeys.talks.one(toKey(place), LIMITS.talkMessages), talk)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.talks.one(toKey(place)) }),
  })
  const { variables: sent, isError, reset } = reply
  // The store may show it before it has answered the call.
  const isThere = talk.messages.some(
    ({ id, author, text }) => sent && id > sent.after && author === 'customer' && text === sent.message,
  )
  const name = replyDraft(talk)
  useEffect(() => {
    if (!isError || !isThere) return
    if (readText('visit', name).trim() === sent?.message) keepText('visit', name, '')
    reset()
  }, [isError, isThere, name, sent, reset])
  return { ...reply, isThere }
}
