import type { AnswerTemplate, Conversation, deskApi, NewTemplate, OpenedConversation } from '@olmos/contract/desk'
import * as LIMITS from '@olmos/contract/limits'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { caller } from '../../api/client.ts'
import { useLiveRefetch } from '../../api/live-refetch.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useSeen } from '../../features/support/use-seen.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { keepText, parseStored, readText } from '../../ui/stored-text.ts'
import { asAdmin, useAdminList, useAdminQuery, useAdminRead } from '../list/use-admin-list.ts'
import type { Bin } from '../shop/Removed.tsx'
import type { History } from '../shop/Versions.tsx'

const list = caller<typeof deskApi.list>('GET /admin/conversations')
const count = caller<typeof deskApi.count>('GET /admin/conversations/count')
const open = caller<typeof deskApi.open>('GET /admin/conversations/:id')
const answer = caller<typeof deskApi.answer>('POST /admin/conversations/:id/answers')
const note = caller<typeof deskApi.note>('POST /admin/conversations/:id/notes')
const change = caller<typeof deskApi.change>('PUT /admin/conversations/:id')
const read = caller<typeof deskApi.read>('PUT /admin/conversations/:id/read')
const listTemplates = caller<typeof deskApi.templates>('GET /admin/answer-templates')
const addTemplate = caller<typeof deskApi.addTemplate>('POST /admin/answer-templates')
const editTemplate = caller<typeof deskApi.changeTemplate>('PUT /admin/answer-templates/:id')
const templateVersions = caller<typeof deskApi.templateVersions>('GET /admin/answer-templates/:id/versions')
const restoreTemplate = caller<typeof deskApi.restoreTemplate>('POST /admin/answer-templates/:id/restore')
const listRemoved = caller<typeof deskApi.removedTemplates>('GET /admin/answer-templates/removed')
const deleteTemplate = caller<typeof deskApi.removeTemplate>('DELETE /admin/answer-templates/:id')

/** The parameters of the address that name a conversation, and the screen of templates. */
export const chosenName = 'conversation'
export const viewName = 'view'
export const templatesView = 'templates'

export const conversationPath = (id: number): string => `${paths.admin('support')}?${chosenName}=${id}`

const events = '/admin/conversations/events'
const countedEveryMs = 60_000

/** How many conversations wait for an answer; asked again while the admin area is open. None until it is known. */
export function useOpenConversations(): number {
  const key = queryKeys.admin.noun('support', 'count')
  const enabled = useMay()('support.write')
  return useAdminRead(key, count, {}, { enabled, refetchInterval: countedEveryMs }).data?.open ?? 0
}

/** Reads again what is shown of conversations as they go on; asks now and then where it is not heard of. */
export function useDeskEvents(): void {
  const client = useQueryClient()
  const isHeard = useRef(false)
  useLiveRefetch({ path: events, queryKey: queryKeys.admin.noun('support'), isHeard })
  useEffect(() => {
    const timer = setInterval(() => {
      if (!isHeard.current) client.invalidateQueries({ queryKey: queryKeys.admin.noun('support') })
    }, WEB_LIMITS.ordersRefreshMs)
    return () => clearInterval(timer)
  }, [client])
}

export const useConversations = () =>
  useAdminList<Conversation>({ noun: 'support', load: list, filters: ['state', 'kind', 'assignee', 'from', 'to'] })

const toKey = (id: number, shown?: number) => queryKeys.admin.noun('support', 'one', id, ...(shown ? [shown] : []))

/** A conversation as it goes on, and what shows more of what was said before. */
export function useConversation(id: number) {
  const client = useQueryClient()
  const [shown, setShown] = useState<number>(LIMITS.talkMessages)
  const query = useAdminQuery<OpenedConversation>(
    toKey(id, shown),
    async (signal) => (await open({ params: { id: String(id) }, query: { shown: String(shown) } }, { signal })).data,
    { placeholderData: keepPreviousData as never },
  )
  useSeen(query.data?.is_unread ? query.data.last.id : undefined, async (upTo) => {
    await read({ params: { id: String(id) }, body: { upTo } })
    client.invalidateQueries({ queryKey: queryKeys.admin.noun('support', 'list') })
  })
  return { query, showMore: () => setShown(Math.min(shown * 4, LIMITS.talkMessagesMax)) }
}

export interface Written {
  mode: 'answer' | 'note'
  text: string
  close: boolean
  /** The version that the operator saw. */
  version: number
  /** The last message that was there when it was sent. */
  after: number
}

/** The name of an answer or a note that is typed and not sent yet, for this visit. */
export const answerDraft = (mode: Written['mode'], id: number): string => `${mode}:${id}`

/** Writes an answer or a note. Not tried again by itself: one whose answer was lost may have arrived. */
export function useWrite(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ mode, text, close, version }: Written) => {
      const params = { id: String(id) }
      return asAdmin(
        client,
        mode === 'note' ? note({ params, body: { text } }) : answer({ params, body: { text, close, version } }),
      )
    },
    retry: false,
    onSuccess: ({ data }, { mode }) => {
      keepText('visit', answerDraft(mode, id), '')
      client.setQueryData(toKey(id, LIMITS.talkMessages), data)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.admin.noun('support') }),
  })
}

/** What is typed and not sent yet, and the version of the conversation that was there when it was begun. */
interface Draft {
  text: string
  version: number
}

export function parseAnswerDraft(stored: string): Draft | undefined {
  const kept = parseStored(stored)
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('version' in kept)) return undefined
  return typeof kept.text === 'string' && typeof kept.version === 'number'
    ? { text: kept.text, version: kept.version }
    : undefined
}

export const keepAnswerDraft = (name: string, draft: Draft): void =>
  keepText('visit', name, draft.text === '' ? '' : JSON.stringify(draft))

export type ConversationWish = { state: Conversation['state'] } | { mine: boolean }

type ConversationChange = ConversationWish & {
  /** The version that the operator saw. */
  version: number
}

/** Closes a conversation, opens it again, takes it on or leaves it, optimistically, with rollback when it is refused. */
export function useChange(id: number) {
  const client = useQueryClient()
  const key = toKey(id)
  return useMutation({
    mutationFn: (wish: ConversationChange) => asAdmin(client, change({ params: { id: String(id) }, body: wish })),
    retry: false,
    onMutate: async (wish) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueriesData<OpenedConversation>({ queryKey: key })
      const shown = 'mine' in wish ? { is_mine: wish.mine } : { state: wish.state }
      client.setQueriesData<OpenedConversation>({ queryKey: key }, (known) => known && { ...known, ...shown })
      return { before }
    },
    onSuccess: ({ data }, { version }) => {
      // An answer that was begun before is not behind what its own writer did.
      const name = answerDraft('answer', id)
      const draft = parseAnswerDraft(readText('visit', name))
      if (draft?.version === version) keepAnswerDraft(name, { ...draft, version: data.version })
    },
    onError: (_error, _wish, context) => {
      for (const [shownKey, known] of context?.before ?? []) client.setQueryData(shownKey, known)
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun('support') }),
  })
}

export const useTemplates = () =>
  useAdminList<AnswerTemplate>({ noun: 'answerTemplates', load: listTemplates, place: [viewName] })

/** All templates, to choose from. */
export const useAllTemplates = () =>
  useAdminRead(queryKeys.admin.noun('answerTemplates', 'all'), listTemplates, {
    query: { pageSize: String(LIMITS.templatesMax), sort: 'title', order: 'asc' },
  })

export const saveTemplate = (row: AnswerTemplate | undefined, values: NewTemplate, version: number | undefined) =>
  row
    ? editTemplate({ params: { id: String(row.id) }, body: { ...values, ...(version && { version }) } })
    : addTemplate({ body: values })

export const templateHistory = ({ id }: AnswerTemplate): History => ({
  noun: 'answerTemplates',
  key: id,
  permission: 'support.write',
  read: (_, options) => templateVersions({ params: { id: String(id) } }, options),
  restore: (restored, version) => restoreTemplate({ params: { id: String(id) }, body: { restored, version } }),
})

export const removedTemplates: Bin = {
  noun: 'answerTemplates',
  permission: 'support.write',
  read: listRemoved,
  toName: ({ value }) => String(value.title),
  restore: ({ id, version }) => restoreTemplate({ params: { id: String(id) }, body: { restored: version, version } }),
}

export const removeTemplate = ({ id }: AnswerTemplate) => deleteTemplate({ params: { id: String(id) } })
