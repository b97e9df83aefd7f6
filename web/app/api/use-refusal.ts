import { useTranslation } from '../i18n/use-translation.ts'
import { focusFirst } from '../ui/focus-first.ts'
import { failureText } from './failure-text.ts'
import { fieldTexts, toFieldErrors } from './field-texts.ts'

interface RefusedForm {
  values: object
  setErrors(texts: Record<string, string>): void
  getInputNode(field: string): HTMLElement | null
}

/**
 * Says why the store refused a form: at its fields, of which the first gets the focus, and as a text to stand beside the
 * button only where none of them takes it. `toTexts` finds what else a field says of a refusal.
 */
export function useRefusal(
  form: RefusedForm,
  error: Error | null,
  toTexts: (error: Error) => Record<string, string> = () => ({}),
) {
  const { t } = useTranslation()
  const ofFields = (refused: Error) =>
    Object.fromEntries(
      Object.entries({ ...fieldTexts(t, toFieldErrors(refused)), ...toTexts(refused) }).filter(
        ([field]) => field in form.values,
      ),
    )
  return {
    refuse: (refused: Error) => {
      const texts = ofFields(refused)
      form.setErrors(texts)
      focusFirst(form)(texts)
    },
    text: error && Object.keys(ofFields(error)).length === 0 ? failureText(t, error) : undefined,
  }
}
