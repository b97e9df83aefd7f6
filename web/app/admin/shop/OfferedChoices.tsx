import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

interface OfferedChoicesProps<Choice extends string> {
  options: readonly { value: Choice; label: string }[]
  labels: { offered: string; standard: string }
  /** Those that are on, in the order of the options, and the one of them that a visitor without a choice gets. */
  offered: readonly Choice[]
  standard: Choice
  inputs: { offered: GetInputPropsReturnType; standard: GetInputPropsReturnType }
  onChange(offered: Choice[], standard: Choice): void
}

/** What the shop offers of a few choices, and which is the default: the first one that is on, once the default is off. */
export function OfferedChoices<Choice extends string>({
  options,
  labels,
  offered,
  standard,
  inputs,
  onChange,
}: OfferedChoicesProps<Choice>) {
  const change = (chosen: string[]) => {
    const on = options.map(({ value }) => value).filter((value) => chosen.includes(value))
    onChange(on, on.includes(standard) ? standard : (on[0] ?? standard))
  }
  return (
    <>
      <Checkbox.Group aria-label={labels.offered} {...inputs.offered} onChange={change}>
        <Stack gap="xs">
          {options.map((option) => (
            <Checkbox key={option.value} {...option} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={labels.standard}
        data={options.filter(({ value }) => offered.includes(value))}
        {...inputs.standard}
      />
    </>
  )
}
