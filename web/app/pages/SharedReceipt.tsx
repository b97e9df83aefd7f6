import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SharedReceipt as Receipt, sharedReceiptsApi } from '@olmos/contract/shared-receipts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { isRefusal } from '../api/api-error.ts'
import { caller } from '../api/client.ts'
import { failureText } from '../api/failure-text.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { SharedCodes } from '../features/orders/SharedCodes.tsx'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { focusFirst } from '../ui/focus-first.ts'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import { FormPage } from './FormPage.tsx'

const openReceipt = caller<typeof sharedReceiptsApi.open>('POST /shared-receipts')

/**
 * Codes that a friend shared. Which ones stands behind the # of the address, which no browser sends to a server: it is
 * in no log and no referrer.
 */
export default function SharedReceipt() {
  const token = useLocation().hash.slice(1)
  return <LinkedReceipt key={token} token={token} />
}

function LinkedReceipt({ token }: { token: string }) {
  const { t } = useTranslation()
  const [receipt, setReceipt] = useState<Receipt>()
  const [isOver, setOver] = useState(false)
  return (
    <>
      <PrivateTitle title={t('shared.title')} />
      {isOver && (
        <Message title={t('shared.over')} text={t('shared.overText')} drawing="empty">
          <Button component={Link} to={paths.products}>
            {t('shared.toShop')}
          </Button>
        </Message>
      )}
      {!isOver && !receipt && (
        <FormPage title={t('shared.title')} text={t('shared.text')}>
          <PinForm token={token} onOpened={setReceipt} onOver={() => setOver(true)} />
        </FormPage>
      )}
      {receipt && (
        <Page title={t('shared.title')}>
          <SharedCodes receipt={receipt} />
        </Page>
      )}
    </>
  )
}

interface PinFormProps {
  token: string
  onOpened(receipt: Receipt): void
  onOver(): void
}

function PinForm({ token, onOpened, onOver }: PinFormProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { pin: '' },
    validate: { pin: (pin) => (pin.trim() === '' ? t('field.required') : null) },
  })
  const toPinTexts = (error: Error): Record<string, string> =>
    isRefusal(error, 'WRONG_PIN') ? { pin: failureText(t, error) } : {}
  // Not tried again by itself: each try counts.
  const open = useMutation({
    mutationFn: (pin: string) => openReceipt({ body: { token: token || '-', pin } }),
    retry: false,
    onSuccess: onOpened,
    onError: (error) => {
      if (isRefusal(error, 'NOT_FOUND') || (isRefusal(error, 'WRONG_PIN') && error.details.triesLeft === 0)) onOver()
      else refusal.refuse(error)
    },
  })
  const refusal = useRefusal(form, open.error, toPinTexts)
  return (
    <Surface p="lg" h="100%">
      <form onSubmit={form.onSubmit(({ pin }) => open.mutate(pin.trim()), focusFirst(form))} noValidate>
        <Stack>
          <TextInput
            label={t('shared.pin')}
            required
            size="lg"
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            {...form.getInputProps('pin')}
          />
          {refusal.text && (
            <Alert color="red" role="alert">
              {refusal.text}
            </Alert>
          )}
          <Button type="submit" size="md" loading={open.isPending}>
            {t('shared.open')}
          </Button>
        </Stack>
      </form>
    </Surface>
  )
}
