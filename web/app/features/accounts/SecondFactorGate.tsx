import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { type PageQuestion, secondFactorEvent } from '../../api/questions.ts'
import { CoveredContext } from '../../ui/covered.ts'
import { late } from '../../ui/late.ts'

// Customers are never asked, so their pages don't carry it.
const SecondFactorDialog = late(async () => (await import('./SecondFactorDialog.tsx')).SecondFactorDialog)

/**
 * Asks an admin for the second factor when a call needs it, once for all calls that were sent by then; they resume
 * afterwards, or are refused together. The page under the question stays as it is.
 */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const [isAsking, setIsAsking] = useState(false)
  // Not in the state: the dialog answers from whatever rendering its code was sent by, and calls come in meanwhile.
  const waiting = useRef<PageQuestion[]>([])
  const answered = useRef({ at: 0, isGiven: false })

  const answer = useCallback((isGiven: boolean) => {
    answered.current = { at: performance.now(), isGiven }
    setIsAsking(false)
    for (const question of waiting.current.splice(0)) question.answer(isGiven)
  }, [])

  useEffect(() => {
    const ask = (event: Event) => {
      event.preventDefault()
      const question = (event as CustomEvent<PageQuestion>).detail
      const { at, isGiven } = answered.current
      if (question.sentAt < at) return question.answer(isGiven)
      waiting.current.push(question)
      setIsAsking(true)
    }
    window.addEventListener(secondFactorEvent, ask)
    return () => {
      window.removeEventListener(secondFactorEvent, ask)
      // Nobody is left to answer them.
      for (const question of waiting.current.splice(0)) question.answer(false)
    }
  }, [])

  return (
    <>
      <CoveredContext value={isAsking}>{children}</CoveredContext>
      {isAsking && (
        <Suspense>
          <SecondFactorDialog onAnswer={answer} />
        </Suspense>
      )}
    </>
  )
}
