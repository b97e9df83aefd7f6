import { notifications } from '@mantine/notifications'
import { LIMITS } from '@olmos/contract/limits'

export function noticeSuccess(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: LIMITS.noticeSuccessMs })
}

export function noticeError(message: string): void {
  notifications.show({ message, color: 'red', autoClose: LIMITS.noticeErrorMs })
}

export function noticeWarning(message: string): void {
  notifications.show({ message, color: 'yellow', autoClose: LIMITS.noticeErrorMs })
}
