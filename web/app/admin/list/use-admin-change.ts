import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { isConflict } from '../../api/api-error.ts'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toastError, toastWarning } from '../../ui/toast.ts'
import { Declined, useConfirmed } from '../form/asking.ts'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin, type ListPage } from './use-admin-list.ts'

interface Listed {
  id: number | string
}

interface ChangeOptions<Row, Change> {
  noun: AdminNoun
  /** Where the store asks first, it is sent again as confirmed once the operator has said yes. */
  send(row: Row, change: Change, isConfirmed: boolean, underFloor: string | undefined): Promise<{ data: Row }>
  /** The row as it will be, shown before the store has answered. */
  shown(row: Row, change: Change): Row
}

/** Puts a row in the place of the one with its id, on every page that is kept. */
function putRow<Row extends Listed>(client: QueryClient, noun: AdminNoun, row: Row): void {
  client.setQueriesData<ListPage<Row>>(
    { queryKey: queryKeys.admin.noun(noun, 'list') },
    (page) => page && { ...page, data: page.data.map((known) => (known.id === row.id ? row : known)) },
  )
}

/** What the store has instead, when another admin was quicker. */
export function toCurrent<Row>(error: unknown): Row | undefined {
  return isConflict(error, 'changed_meanwhile') ? (error.details.current as Row) : undefined
}

/** Whether somebody else changed the very fields that a change is about. */
function isContested<Row extends object>(seen: Row, wanted: Row, current: Row): boolean {
  const differs = (one: Row, other: Row, field: string) =>
    JSON.stringify(one[field as keyof Row]) !== JSON.stringify(other[field as keyof Row])
  return Object.keys(wanted).some((field) => differs(wanted, seen, field) && differs(current, seen, field))
}

/** Changes one row optimistically: it shows at once, with rollback when the store refuses. */
export function useAdminChange<Row extends Listed, Change>({ noun, send, shown }: ChangeOptions<Row, Change>) {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const sendSeen = async (row: Row, change: Change, isConfirmed: boolean, underFloor: string | undefined) => {
    try {
      return await send(row, change, isConfirmed, underFloor)
    } catch (error) {
      const current = toCurrent<Row>(error)
      if (!current || isContested(row, shown(row, change), current)) throw error
      return send(current, change, isConfirmed, underFloor)
    }
  }
  return useMutation({
    mutationFn: ({ row, change }: { row: Row; change: Change }) =>
      asAdmin(
        client,
        confirmed((isConfirmed, underFloor) => sendSeen(row, change, isConfirmed, underFloor)),
      ),
    onMutate: async ({ row, change }) => {
      await client.cancelQueries({ queryKey: queryKeys.admin.noun(noun, 'list') })
      putRow(client, noun, shown(row, change))
    },
    onSuccess: ({ data }) => putRow(client, noun, data),
    onError: (error, { row }) => {
      const current = toCurrent<Row>(error)
      putRow(client, noun, current ?? row)
      if (error instanceof Declined) return
      if (current) toastWarning(t('admin.conflict.refused'))
      else toastError(refusalText({ t, language }, error))
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun(noun) }),
  })
}
