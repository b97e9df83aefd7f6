import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { recoveryApi } from '@olmos/contract/recovery'
import type { NewRecovery, supportApi } from '@olmos/contract/support'
import { useMutation } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { caller } from '../api/client.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { NicknameField } from '../features/accounts/account-fields.tsx'
import { CopiedText } from '../i18n/CopiedText.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { focusFirst } from '../ui/focus-first.ts'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import { FormPage } from './FormPage.tsx'
import { useContacts } from './layout/Contacts.tsx'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'

const askForLink = caller<typeof recoveryApi.ask>('POST /auth/recovery')
const askForNewPassword = caller<typeof supportApi.recover>('POST /support/recovery')

export async function loader(args: LoaderFunctionArgs) {
  const { t, describe, read } = await pageServer(args)
  const ways = await read<{ data: { channels: string[] } }>('/auth/recovery')
  return {
    canSendLinks: (ways?.data.channels.length ?? 0) > 0,
    meta: describe(t('recover.title'), t('recover.description')),
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/**
 * Asks for a link by which to set a new password, where the shop can send one, or asks an operator. Whether there is such an
 * account, and what it has of contacts, is not told here.
 */
export default function Recover() {
  const { t } = useTranslation()
  const { canSendLinks } = useLoaderData<typeof loader>()
  const { reply_hours } = useContacts()
  // Not tried again by itself: a request whose answer was lost may have arrived.
  const ask = useMutation({ mutationFn: (body: NewRecovery) => askForNewPassword({ body }), retry: false })
  const required = (value: string) => (value.trim() === '' ? t('field.required') : null)
  const form = useForm({
    initialValues: { nickname: '', order: '', contact: '', message: '' },
    validate: { nickname: required, contact: required },
  })
  const refusal = useRefusal(form, ask.error)
  if (ask.isSuccess) {
    return (
      <Page>
        <Message drawing="waiting" title={t('recover.sent')} text={t('recover.sentText', { count: reply_hours })}>
          <Stack w="100%">
            <Text>{t('talk.keepLink')}</Text>
            <CopiedText label={t('talk.link')} text={ask.data.link} />
          </Stack>
          <Button component={Link} to={paths.login}>
            {t('recover.toLogin')}
          </Button>
        </Message>
      </Page>
    )
  }
  const submit = form.onSubmit((values) => ask.mutate(values, { onError: refusal.refuse }), focusFirst(form))
  return (
    <FormPage title={t('recover.title')} text={canSendLinks ? undefined : t('recover.text')}>
      {canSendLinks && <AskForLink />}
      <Surface p="lg" h={canSendLinks ? undefined : '100%'} title={canSendLinks ? t('recover.noLink') : undefined}>
        {canSendLinks && <Text mb="md">{t('recover.text')}</Text>}
        <form onSubmit={submit} noValidate>
          <Stack>
            <NicknameField required {...form.getInputProps('nickname')} />
            <TextInput
              label={t('recover.contact')}
              description={t('recover.contactHint')}
              required
              autoComplete="off"
              autoCapitalize="none"
              maxLength={200}
              {...form.getInputProps('contact')}
            />
            <TextInput
              label={t('recover.order')}
              description={t('recover.orderHint')}
              autoComplete="off"
              maxLength={64}
              {...form.getInputProps('order')}
            />
            <Textarea
              label={t('recover.message')}
              description={t('recover.messageHint')}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={5000}
              {...form.getInputProps('message')}
            />
            {refusal.text && (
              <Alert color="red" role="alert" title={t('recover.failed')}>
                {refusal.text}
              </Alert>
            )}
            <Button type="submit" size="md" loading={ask.isPending}>
              {t('recover.submit')}
            </Button>
          </Stack>
        </form>
      </Surface>
    </FormPage>
  )
}

/** What it answers is the same for every name. */
function AskForLink() {
  const { t } = useTranslation()
  const ask = useMutation({ mutationFn: (name: string) => askForLink({ body: { name } }), retry: false })
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? t('field.required') : null) },
  })
  const refusal = useRefusal(form, ask.error)
  const submit = form.onSubmit(({ name }) => ask.mutate(name, { onError: refusal.refuse }), focusFirst(form))
  return (
    <Surface p="lg" mb="sm">
      {ask.isSuccess ? (
        <Text role="status">{t('recover.linkSent')}</Text>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={t('recover.name')}
              description={t('recover.linkHint')}
              autoComplete="username"
              autoCapitalize="none"
              maxLength={254}
              {...form.getInputProps('name')}
            />
            {refusal.text && (
              <Alert color="red" role="alert" title={t('recover.failed')}>
                {refusal.text}
              </Alert>
            )}
            <Button type="submit" size="md" loading={ask.isPending}>
              {t('recover.sendLink')}
            </Button>
          </Stack>
        </form>
      )}
    </Surface>
  )
}
