import { expect, test } from 'vitest'
import { passwordErrors, registrationErrors } from './password-form.ts'

const right = { currentPassword: 'old-one-1', password: 'diamonds-7', confirmPassword: 'diamonds-7' }

test.each([
  [{}, {}],
  [{ currentPassword: ' ' }, { currentPassword: 'required' }],
  [{ password: 'short-1', confirmPassword: 'short-1' }, { password: 'password_too_short' }],
  [{ password: 'no-digits-here', confirmPassword: 'no-digits-here' }, { password: 'password_no_number' }],
  [{ confirmPassword: 'diamonds-8' }, { confirmPassword: 'passwords_dont_match' }],
])('%j is answered with %j', (typed, errors) => {
  expect(passwordErrors({ ...right, ...typed })).toEqual(errors)
})

test.each([
  [{ nickname: 'abc', password: 'longenough1', confirmPassword: 'longenough1' }, {}],
  [{ nickname: ' ab ', password: 'longenough1', confirmPassword: 'longenough1' }, { nickname: 'nickname_too_short' }],
  [{ nickname: 'abc', password: 'short1', confirmPassword: 'short1' }, { password: 'password_too_short' }],
  [{ nickname: 'abc', password: 'nodigits!', confirmPassword: 'nodigits!' }, { password: 'password_no_number' }],
  [{ nickname: 'abc', password: 'longenough1', confirmPassword: '' }, { confirmPassword: 'passwords_dont_match' }],
])('to register with %j has the errors %j', (form, errors) => {
  expect(registrationErrors(form)).toEqual(errors)
})
