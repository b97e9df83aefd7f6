import { useEffect } from 'react'
import { noticeError } from '../../ui/notice.ts'

/** Says that something asked for in the background failed, each time it does. */
export function useNoticeOf(error: Error | null, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is no other failure
  useEffect(() => {
    if (error) noticeError(text)
  }, [error])
}
