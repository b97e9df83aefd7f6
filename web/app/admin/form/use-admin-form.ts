import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { toCurrent } from '../list/use-admin-change.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { Declined, useConfirmed } from './asking.ts'
import { refusalText } from './refusal-text.ts'

/** Of things that two admins may edit at one time; others have none. */
const toVersion = (row: object | undefined): number | undefined =>
  row && 'version' in row && typeof row.version === 'number' ? row.version : undefined

interface AdminFormOptions<Values, Row> {
  noun: AdminNoun
  /** What the form begins with: the row that is edited, or nothing for a new one. */
  row: Row | undefined
  /** How a row is filled in; nothing gives the blank form. */
  toValues(row: Row | undefined): Values
  /**
   * What was seen goes with it, by its version or by itself; the store refuses when there is something newer. Where the
   * store asks first, it is sent again as confirmed once the operator has said yes.
   */
  send(values: Values, version: number | undefined, seen: Row | undefined, isConfirmed: boolean): Promise<{ data: Row }>
  /** What to tell when it is saved, instead of just that. */
  done?: string
  /** Nothing for a form that stays where it is. */
  onSaved?(row: Row): void
  /** What the store could not know is wrong: field -> key. */
  validate?(values: Values): Record<string, string>
}

/** A field that somebody else changed while this form was open. */
export interface ForeignChange {
  /** A path where fields hold others. */
  field: string
  value: unknown
}

export interface AdminForm<Values> {
  form: UseFormReturnType<Values>
  isBusy: boolean
  /** What the store refused, when it is not about a field alone. */
  refusal: string | undefined
  /** Not empty: somebody else was quicker. Saving waits until one of the two ways is chosen. */
  foreignChanges: ForeignChange[]
  takeTheirs(): void
  keepMine(): void
  submit(event?: React.FormEvent<HTMLFormElement>): void
}

/** A form of the admin area: refusals of the store stand at its fields, and two admins never overwrite each other unseen. */
export function useAdminForm<Values extends Record<string, unknown>, Row extends object>({
  noun,
  row,
  toValues,
  send,
  done,
  onSaved,
  validate,
}: AdminFormOptions<Values, Row>): AdminForm<Values> {
  const { t } = useTranslation()
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const form = useForm<Values>({
    initialValues: toValues(row),
    ...(validate && { validate: (values) => fieldTexts(t, validate(values)) }),
  })
  const [seen, setSeen] = useState(row)
  const [followed, setFollowed] = useState(row)
  const [current, setCurrent] = useState<Row>()

  const sendSeen = async (values: Values, isConfirmed: boolean) => {
    try {
      return await send(values, toVersion(seen), seen, isConfirmed)
    } catch (error) {
      const newer = toCurrent<Row>(error)
      // What others changed is not in this form: nobody needs to be asked whose word shall stand.
      if (!newer || foreignChanges(toValues(seen), toValues(newer)).length > 0) throw error
      return send(values, toVersion(newer), newer, isConfirmed)
    }
  }
  const save = useMutation({
    mutationFn: (values: Values) =>
      asAdmin(
        client,
        confirmed((isConfirmed) => sendSeen(values, isConfirmed)),
      ),
    retry: false,
    onSuccess: ({ data }) => {
      toastSuccess(done ?? t('admin.form.saved'))
      setSeen(data)
      form.resetDirty()
      onSaved?.(data)
    },
    onError: (error) => {
      setCurrent(toCurrent<Row>(error))
      const errors = fieldTexts(t, nearest(toFieldErrors(error), Object.keys(form.values)))
      form.setErrors(errors)
      const [first] = Object.keys(errors)
      if (first) form.getInputNode(first)?.focus()
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun(noun) }),
  })

  // A form that stays where it is shows what the store has, while nothing is typed into it.
  if (followed !== row) {
    setFollowed(row)
    if (row && !form.isDirty()) {
      setSeen(row)
      form.setInitialValues(toValues(row))
      form.setValues(toValues(row))
    }
  }

  const decide = (): void => {
    setSeen(current)
    setCurrent(undefined)
    save.reset()
  }

  const changes = current ? foreignChanges(toValues(seen), toValues(current)) : []
  return {
    form,
    isBusy: save.isPending,
    refusal: save.error && !(save.error instanceof Declined) && !current ? refusalText(t, save.error) : undefined,
    foreignChanges: changes,
    takeTheirs: () => {
      for (const { field, value } of changes) form.setFieldValue(field, value as never)
      decide()
    },
    keepMine: decide,
    submit: form.onSubmit((values) => save.mutate(values)),
  }
}

/** An error deep in a list or of a translation stands at its own field where the form has one, else at the field around it. */
const nearest = (errors: Record<string, string>, fields: string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, key]) => {
      const [around = path] = path.split('.')
      return fields.includes(around) && around !== path
        ? [
            [path, key],
            [around, key],
          ]
        : [[path, key]]
    }),
  )

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Field by field; of a field that holds others, those of them that differ: `translations.en.name`. */
function foreignChanges(seen: Fields, current: Fields, place = ''): ForeignChange[] {
  return Object.entries(current)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(seen[name]))
    .flatMap(([name, value]) => {
      const field = `${place}${name}`
      const before = seen[name]
      return isFields(value) ? foreignChanges(isFields(before) ? before : {}, value, `${field}.`) : { field, value }
    })
}
