import { TextInput, type TextInputProps } from '@mantine/core'

/** The code of an app, which phones offer by themselves; a recovery code is typed here too, so letters are let in. */
export function OneTimeCode(props: TextInputProps) {
  return (
    <TextInput
      size="md"
      inputMode="text"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={32}
      data-autofocus
      {...props}
    />
  )
}
