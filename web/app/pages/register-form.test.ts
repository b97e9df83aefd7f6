import { expect, test } from 'vitest'
import { registrationErrors } from './register-form.ts'

test.each([
  [{ nickname: 'abc', password: 'longenough1', confirmPassword: 'longenough1' }, {}],
  [{ nickname: ' ab ', password: 'longenough1', confirmPassword: 'longenough1' }, { nickname: 'nickname_too_short' }],
  [{ nickname: 'abc', password: 'short1', confirmPassword: 'short1' }, { password: 'password_too_short' }],
  [{ nickname: 'abc', password: 'nodigits!', confirmPassword: 'nodigits!' }, { password: 'password_no_number' }],
  [{ nickname: 'abc', password: 'longenough1', confirmPassword: '' }, { confirmPassword: 'passwords_dont_match' }],
])('%j has the errors %j', (form, errors) => {
  expect(registrationErrors(form)).toEqual(errors)
})
