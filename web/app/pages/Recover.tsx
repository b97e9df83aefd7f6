import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewRecovery, supportApi } from '@olmos/contract/support'
import { useMutation } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs, type MetaArgs } from 'react-router'
import { caller } from '../api/client.ts'
import { failureText } from '../api/failure-text.ts'
import { fieldTexts, toFieldErrors } from '../api/field-texts.ts'
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

const askForNewPassword = caller<typeof supportApi.recover>('POST /support/recovery')

export async function loader(args: LoaderFunctionArgs) {
  const { t, describe } = await pageServer(args)
  return { meta: describe(t('recover.title'), t('recover.description')) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** Asks an operator for a new password. Whether there is such an account, and what proves it, is not told here. */
export default function Recover() {
  const { t } = useTranslation()
  const { reply_hours } = useContacts()
  // Not tried again by itself: a request whose answer was lost may have arrived.
  const ask = useMutation({ mutationFn: (body: NewRecovery) => askForNewPassword({ body }), retry: false })
  const required = (value: string) => (value.trim() === '' ? t('field.required') : null)
  const form = useForm({
    initialValues: { nickname: '', order: '', contact: '', message: '' },
    validate: { nickname: required, contact: required },
  })
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
  const submit = form.onSubmit(
    (values) => ask.mutate(values, { onError: (error) => form.setErrors(fieldTexts(t, toFieldErrors(error))) }),
    focusFirst(form),
  )
  return (
    <FormPage title={t('recover.title')} text={t('recover.text')}>
      <Surface p="lg" h="100%">
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
            {ask.error && (
              <Alert color="red" role="alert" title={t('recover.failed')}>
                {failureText(t, ask.error)}
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
