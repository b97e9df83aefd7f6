import { visitStorage } from '../../ui/browser-storage.ts'
import { copyText } from '../../ui/copy-text.ts'
import { toastSuccess } from '../../ui/toast.ts'

/** Copies the code of a coupon, and keeps it for the checkout of this visit. */
export async function takeCoupon(code: string, done: string): Promise<void> {
  visitStorage.setItem('coupon', code)
  await copyText(code)
  toastSuccess(done)
}
