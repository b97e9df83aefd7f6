import '../../i18n/all-texts.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWindowEvent } from '@mantine/hooks'
import type { secondFactorApi } from '@olmos/contract/second-factor'
import { useMutation } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { failureText } from '../../api/failure-text.ts'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { tokenKey } from '../../api/token.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MantineParts } from '../../theme/MantineParts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { OneTimeCode } from '../../ui/OneTimeCode.tsx'

const confirmAgain = caller<typeof secondFactorApi.confirmAgain>('POST /auth/second-factor/confirm-again')

interface SecondFactorDialogProps {
  onAnswer(isGiven: boolean): void
}

/** Brings what it is made of: the page below it may be one of the first. */
export const SecondFactorDialog = (props: SecondFactorDialogProps) => (
  <MantineParts>
    <Question {...props} />
  </MantineParts>
)

function Question({ onAnswer }: SecondFactorDialogProps) {
  const { t } = useTranslation()
  const confirm = useMutation({ mutationFn: (otp: string) => confirmAgain({ body: { otp } }), retry: false })
  const form = useForm({ initialValues: { otp: '' } })
  // A login in another tab has asked for it there.
  useWindowEvent('storage', ({ key, newValue }) => {
    if (key === tokenKey && newValue !== null) onAnswer(true)
  })

  const submit = form.onSubmit(({ otp }) =>
    confirm.mutate(otp, {
      onSuccess: () => onAnswer(true),
      onError: (error) => {
        const errors = fieldTexts(t, toFieldErrors(error))
        form.setErrors(errors.otp ? errors : { otp: failureText(t, error) })
      },
    }),
  )

  return (
    <Dialog
      isOpen
      onClose={() => onAnswer(false)}
      title={t('secondFactor.title')}
      closeLabel={t('secondFactor.cancel')}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>{t('secondFactor.text')}</Text>
          <OneTimeCode label={t('secondFactor.code')} {...form.getInputProps('otp')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onAnswer(false)}>
              {t('secondFactor.cancel')}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {t('secondFactor.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
