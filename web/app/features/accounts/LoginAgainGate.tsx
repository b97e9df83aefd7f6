import { useEffect, useState } from 'react'
import { type LoginQuestion, loginAgainEvent } from '../../api/login-again.ts'
import { tokenKey } from '../../api/token.ts'
import { storedCustomer } from '../../session/session.ts'
import { LoginAgainDialog } from './LoginAgainDialog.tsx'

/** Asks for the password over the page when its session has ended; the waiting calls resume afterwards. */
export function LoginAgainGate() {
  const [questions, setQuestions] = useState<LoginQuestion[]>([])
  const { nickname } = storedCustomer()

  useEffect(() => {
    const ask = (event: Event) => {
      // Nobody knows any more who it was.
      if (storedCustomer().nickname === '') return
      event.preventDefault()
      const question = (event as CustomEvent<LoginQuestion>).detail
      setQuestions((waiting) => [...waiting, question])
    }
    window.addEventListener(loginAgainEvent, ask)
    return () => window.removeEventListener(loginAgainEvent, ask)
  }, [])

  const answer = (isLoggedIn: boolean) => {
    for (const question of questions) question.answer(isLoggedIn)
    setQuestions([])
  }

  useEffect(() => {
    // Another tab was quicker to log in.
    const look = ({ key, newValue }: StorageEvent) => {
      if (key !== tokenKey || newValue === null) return
      for (const question of questions) question.answer(true)
      setQuestions([])
    }
    window.addEventListener('storage', look)
    return () => window.removeEventListener('storage', look)
  }, [questions])

  return questions.length > 0 && <LoginAgainDialog nickname={nickname} onAnswer={answer} />
}
