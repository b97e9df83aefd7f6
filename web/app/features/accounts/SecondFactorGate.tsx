import { lazy, Suspense, useEffect, useState } from 'react'
import { type SecondFactorQuestion, secondFactorEvent } from '../../api/second-factor.ts'

// Customers are never asked, so their pages don't carry it.
const SecondFactorDialog = lazy(async () => ({
  default: (await import('./SecondFactorDialog.tsx')).SecondFactorDialog,
}))

/** Asks an admin for the second factor when a call wants it; the calls that wait for it go on afterwards. */
export function SecondFactorGate() {
  const [questions, setQuestions] = useState<SecondFactorQuestion[]>([])

  useEffect(() => {
    const ask = (event: Event) => {
      event.preventDefault()
      const question = (event as CustomEvent<SecondFactorQuestion>).detail
      setQuestions((waiting) => [...waiting, question])
    }
    window.addEventListener(secondFactorEvent, ask)
    return () => window.removeEventListener(secondFactorEvent, ask)
  }, [])

  const answer = (isGiven: boolean) => {
    for (const question of questions) question.answer(isGiven)
    setQuestions([])
  }

  if (questions.length === 0) return null
  return (
    <Suspense>
      <SecondFactorDialog onAnswer={answer} />
    </Suspense>
  )
}
