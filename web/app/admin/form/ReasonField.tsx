import { Textarea, type TextareaProps } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'

/** Asks why something is done. What is answered goes to the audit log. */
export function ReasonField(props: TextareaProps) {
  const { t } = useTranslation()
  return (
    <Textarea
      label={t('admin.reason.label')}
      description={t('admin.reason.hint')}
      required
      autosize
      minRows={2}
      maxLength={500}
      {...props}
    />
  )
}
