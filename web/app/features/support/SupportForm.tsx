import { Alert, Button, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { type ChangeEvent, useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { focusFirst } from '../../ui/focus-first.ts'
import { keepText, parseStored, readText, textsIn } from '../../ui/stored-text.ts'
import classes from './SupportForm.module.css'
import { useLatestOrders, useSendMessage } from './support.queries.ts'

/** The name of the field in the page, by which it gets the focus. */
export const messageFieldName = 'message'

const visitor = 'visitor'

const toDraftName = (writer: string): string => `support-draft:${writer}`

interface Draft {
  message?: string
  contact?: string
}

const readDraft = (name: string): Draft => textsIn(parseStored(readText('visit', name)))

const keepDraft = (name: string, draft: Draft): void =>
  keepText('visit', name, draft.message || draft.contact ? JSON.stringify(draft) : '')

/** What was begun before logging in goes on after it, where the customer has begun nothing. */
function takeOver(from: string, to: string): void {
  const [begun, own] = [readDraft(from), readDraft(to)]
  if (own.message || !begun.message) return
  keepDraft(to, { ...begun, contact: own.contact || begun.contact || '' })
  keepDraft(from, {})
}

interface SupportFormProps {
  /** Who writes, as far as it is known. */
  customer: { nickname: string; userId: string }
  /** Undefined while nobody knows. */
  isLoggedIn: boolean | undefined
  /** The id of the order that it is about, where the way here said so. */
  order: string
  /** With the link to the conversation, for who is not logged in. */
  onSent(sent: { id: number; link: string | null }): void
}

export function SupportForm({ customer, isLoggedIn, order, onSent }: SupportFormProps) {
  const { t } = useTranslation()
  const draftName = toDraftName(isLoggedIn ? customer.userId : visitor)
  const send = useSendMessage(draftName)
  const [orderId, setOrderId] = useState(order)
  const required = (value: string) => (value.trim() === '' ? t('field.required') : null)
  const form = useForm({
    initialValues: { ...customer, contact: '', message: '' },
    validate: { message: required, nickname: required, userId: required },
  })

  // Who is here is known later than the form is shown; what was typed until then stays.
  const [filledFor, setFilledFor] = useState(customer)
  if (filledFor.userId !== customer.userId) {
    setFilledFor(customer)
    for (const field of ['nickname', 'userId'] as const) {
      if (form.values[field] === filledFor[field]) form.setFieldValue(field, customer[field])
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form changes with every letter
  useEffect(() => {
    if (isLoggedIn === undefined) return
    if (isLoggedIn) takeOver(toDraftName(visitor), draftName)
    const { message = '', contact = '' } = readDraft(draftName)
    form.setValues((typed) => ({ message: typed.message || message, contact: typed.contact || contact }))
  }, [isLoggedIn, draftName])
  /** The field, whose text is still there after logging in again. */
  const drafted = (field: 'message' | 'contact') => {
    const { onChange, ...props } = form.getInputProps(field)
    return {
      ...props,
      readOnly: send.isPending,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        onChange(event)
        const { message, contact } = form.values
        keepDraft(draftName, { message, contact, [field]: event.currentTarget.value })
      },
    }
  }

  const refusal = useRefusal(form, send.error)
  const submit = form.onSubmit((values) => {
    send.mutate(
      { ...values, order: orderId },
      {
        onSuccess: (sent) => {
          form.setFieldValue('message', '')
          onSent(sent)
        },
        onError: refusal.refuse,
      },
    )
  }, focusFirst(form))

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {isLoggedIn && <OrderPicker value={orderId} onChange={setOrderId} />}
        <Textarea
          name={messageFieldName}
          label={t('support.message')}
          required
          autosize
          minRows={3}
          maxRows={12}
          {...drafted('message')}
        />
        <TextInput
          label={t('support.contact')}
          description={t('support.contactHint')}
          autoComplete="off"
          {...drafted('contact')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" className={classes.pair ?? ''}>
          <TextInput
            label={t('login.nickname')}
            description={t('support.nicknameHint')}
            required
            autoComplete="username"
            autoCapitalize="none"
            {...form.getInputProps('nickname')}
          />
          <TextInput
            label={t('support.userId')}
            description={t('support.userIdHint')}
            required
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('userId')}
          />
        </SimpleGrid>
        {send.error && refusal.text && (
          <Alert color="red" icon={<IconAlertCircle />} role="alert">
            {sendFailure(t, send.error)}
          </Alert>
        )}
        <Button type="submit" size="md" loading={send.isPending}>
          {t('support.send')}
        </Button>
      </Stack>
    </form>
  )
}

/** Asks which of the latest orders it is about; nothing where there is none. */
function OrderPicker({ value, onChange }: { value: string; onChange(id: string): void }) {
  const { t } = useTranslation()
  const { data: orders = [] } = useLatestOrders(true)
  const isListed = orders.some(({ id }) => id === value)
  if (orders.length === 0 && value === '') return null
  return (
    <NativeSelect
      label={t('support.order')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t('support.noOrder') },
        ...(value !== '' && !isListed ? [{ value, label: t('orders.number', { id: value }) }] : []),
        ...orders.map(({ id, items }) => ({
          value: id,
          label: [items[0]?.product.title, t('orders.number', { id })].filter(Boolean).join(' · '),
        })),
      ]}
    />
  )
}

function sendFailure(t: TFunction, error: Error): string {
  const isKnown =
    error instanceof ApiError && ['RATE_LIMITED', 'VALIDATION_FAILED', 'NETWORK_ERROR'].includes(error.code)
  return isKnown ? `${t('support.failed')}. ${failureText(t, error)}` : t('support.failed')
}
