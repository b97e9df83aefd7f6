import { createContext, useContext } from 'react'

/** What lets an inline style of ours pass the content security policy. */
export const NonceContext = createContext<string | undefined>(undefined)

export const useNonce = () => useContext(NonceContext)
