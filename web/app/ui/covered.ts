import { createContext, type FocusEvent } from 'react'

/**
 * Whether a question lies over everything here. What is covered stays as it is, with all that was typed into it, until
 * the question is answered: Escape, which every open dialog hears, is meant for the question alone.
 */
export const CoveredContext = createContext(false)

/**
 * Whether a field lost the focus to a dialog that opened over it. Whoever was typing has not left the field then: it gets
 * the focus back, and half a price is not one to send.
 */
export const isLeftToDialog = ({ relatedTarget }: FocusEvent): boolean =>
  relatedTarget instanceof Element && relatedTarget.closest('[role="dialog"]') !== null
