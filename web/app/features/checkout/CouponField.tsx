import { TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'

interface CouponFieldProps {
  label: string
  value: string
  /** Whether somebody has just asked for it. */
  isFocused: boolean
  disabled: boolean
  onChange(text: string): void
}

/** A field for the code of a coupon, which is fetched when somebody has one. */
export const CouponField = ({ isFocused, onChange, ...props }: CouponFieldProps) => (
  <TextInput
    {...props}
    name="coupon"
    maxLength={LIMITS.couponCodeMax}
    autoComplete="off"
    autoCapitalize="characters"
    spellCheck={false}
    translate="no"
    autoFocus={isFocused}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
