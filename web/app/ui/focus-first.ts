interface FocusableForm {
  getInputNode(field: string): HTMLElement | null
}

/** Has a form that was refused before it was sent move the focus to the first field with an error. */
export const focusFirst =
  (form: FocusableForm) =>
  (errors: object): void =>
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
