import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useRefusal } from '../../api/use-refusal.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PasswordField } from './account-fields.tsx'
import { useChangeContact } from './profile.queries.ts'

/** The contact by which an operator knows who asks for a new password. */
export function ChangeContact({ contact }: { contact: string }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Surface title={t('contact.title')}>
      <Stack gap="sm" align="flex-start">
        <Text c={contact ? undefined : 'dimmed'}>{contact || t('contact.none')}</Text>
        <Button variant="default" aria-haspopup="dialog" onClick={open}>
          {t(contact ? 'contact.change' : 'contact.add')}
        </Button>
      </Stack>
      <Dialog isOpen={isOpen} onClose={close} title={t('contact.title')} closeLabel={t('topups.close')}>
        <ContactForm contact={contact} onSaved={close} />
      </Dialog>
    </Surface>
  )
}

function ContactForm({ contact, onSaved }: { contact: string; onSaved(): void }) {
  const { t } = useTranslation()
  const change = useChangeContact()
  // By its name the field for the password is told from that of the form behind the dialog.
  const form = useForm({ name: 'contact', initialValues: { contact, currentPassword: '' } })
  const refusal = useRefusal(form, change.error)
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        toastSuccess(t('contact.saved'))
        onSaved()
      },
      onError: refusal.refuse,
    }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('contact.field')}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={200}
          {...form.getInputProps('contact')}
        />
        <PasswordField
          label={t('profile.currentPassword')}
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        {refusal.text && (
          <Alert color="red" role="alert" title={t('contact.failed')}>
            {refusal.text}
          </Alert>
        )}
        <Button type="submit" loading={change.isPending}>
          {t('contact.save')}
        </Button>
      </Stack>
    </form>
  )
}
