import { useEffect } from 'react'
import { toastError } from '../../ui/toast.ts'

/** Says that something asked for in the background failed, each time it does. */
export function useToastOn(error: Error | null, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is no other failure
  useEffect(() => {
    if (error) toastError(text)
  }, [error])
}
