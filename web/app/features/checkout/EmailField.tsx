import { TextInput, type TextInputProps } from '@mantine/core'

/** A field for an e-mail, which few ways to pay need: it is fetched with the first of them. */
export const EmailField = (props: TextInputProps) => (
  <TextInput type="email" autoComplete="email" inputMode="email" maxLength={254} required {...props} />
)
