import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { toCurrent } from '../list/use-admin-change.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { Declined, useConfirmed } from './asking.ts'
import { type ForeignChange, foreignChanges, untouchedChanges, writeField } from './foreign-changes.ts'
import { refusalText } from './refusal-text.ts'

/** Reads the version of a row that two admins may edit at the same time; other rows have none. */
const toVersion = (row: object | undefined): number | undefined =>
  row && 'version' in row && typeof row.version === 'number' ? row.version : undefined

interface AdminFormOptions<Values, Row> {
  noun: AdminNoun
  /** The row that is edited; undefined for a new one. */
  row: Row | undefined
  /** Turns a row into the values of the fields; without a row, a blank form. */
  toValues(row: Row | undefined): Values
  /**
   * Sends the values with the version, or the row, that the operator saw: the store refuses when there is a newer one.
   * Where the store asks for confirmation first, they are sent again as confirmed once the operator agrees.
   */
  send(
    values: Values,
    version: number | undefined,
    seen: Row | undefined,
    isConfirmed: boolean,
    underFloor: string | undefined,
  ): Promise<{ data: Row }>
  /** The toast shown after saving, instead of the usual one. */
  done?: string
  /** Left out by a form that stays open. */
  onSaved?(row: Row, sent: Values): void
  /** Finds errors the store could not: field -> key. */
  validate?(values: Values): Record<string, string>
}

export interface AdminForm<Values> {
  form: UseFormReturnType<Values>
  isBusy: boolean
  /** Why the store refused, unless it is about a single field. */
  refusal: string | undefined
  /** Not empty when another admin saved first. Saving is blocked until the operator decides which edit wins. */
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
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const form = useForm<Values>({
    initialValues: toValues(row),
    ...(validate && { validate: (values) => fieldTexts(t, validate(values)) }),
  })
  const [seen, setSeen] = useState(row)
  const [followed, setFollowed] = useState(row)
  const [current, setCurrent] = useState<Row>()

  const sendSeen = async (values: Values, isConfirmed: boolean, underFloor: string | undefined) => {
    try {
      return await send(values, toVersion(seen), seen, isConfirmed, underFloor)
    } catch (error) {
      const newer = toCurrent<Row>(error)
      // The other admin changed nothing this form shows, so the edits do not compete.
      if (!newer || foreignChanges(toValues(seen), toValues(newer)).length > 0) throw error
      return send(values, toVersion(newer), newer, isConfirmed, underFloor)
    }
  }
  const save = useMutation({
    mutationFn: (values: Values) =>
      asAdmin(
        client,
        confirmed((isConfirmed, underFloor) => sendSeen(values, isConfirmed, underFloor)),
      ),
    retry: false,
    onSuccess: ({ data }, sent) => {
      toastSuccess(done ?? t('admin.form.saved'))
      // A save of some fields leaves what others changed in the rest, and the next one must not undo that.
      const shown = toValues(seen)
      const others = seen ? untouchedChanges(foreignChanges(shown, toValues(data)), shown, sent) : []
      take(untouchedChanges(others, shown, form.getValues()))
      setSeen(data)
      // What was typed since then is not saved, and the row that is read next must not take its place.
      form.resetDirty(others.reduce((values, { field, value }) => writeField(values, field, value), sent))
      onSaved?.(data, sent)
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

  // A form that stays open follows the store for as long as nothing is typed into it.
  if (followed !== row) {
    setFollowed(row)
    if (row && !form.isDirty()) {
      setSeen(row)
      form.setInitialValues(toValues(row))
      form.setValues(toValues(row))
    }
  }

  const take = (taken: readonly ForeignChange[]): void => {
    for (const { field, value } of taken) form.setFieldValue(field, value as never)
  }

  /** Goes on from the row as it is now: what differs from that is what the operator typed. */
  const decide = (taken: readonly ForeignChange[]): void => {
    take(taken)
    form.resetDirty(toValues(current))
    setSeen(current)
    setCurrent(undefined)
    save.reset()
  }

  const changes = current ? foreignChanges(toValues(seen), toValues(current)) : []
  return {
    form,
    isBusy: save.isPending,
    refusal:
      save.error && !(save.error instanceof Declined) && !current
        ? refusalText({ t, language }, save.error)
        : undefined,
    foreignChanges: changes,
    takeTheirs: () => decide(changes),
    keepMine: () => {
      // The store may have shortened what was sent, by a space at its end; nothing was typed into that since.
      const untouched = untouchedChanges(changes, toValues(seen), form.getValues())
      decide(changes.filter((change) => untouched.includes(change) || !form.isDirty(change.field)))
    },
    submit: form.onSubmit((values) => save.mutate(values)),
  }
}

/** Puts a nested error at its own field and, where the form has it, at the field around it. */
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
