import type { Vault } from '../../platform/vault.ts'

/** One exact code, or the number of one. */
export interface WantedCode {
  fingerprint?: Buffer
  id?: number | undefined
}

/** What a search is for: a code, however long, that looks like an id may be meant as one. */
export const wantedCode = (vault: Vault, search: string, spelling = search): WantedCode => ({
  fingerprint: vault.fingerprint(spelling),
  id: /^\d{1,15}$/.test(search) ? Number(search) : undefined,
})

/** What a search in an address is for, where no code may stand. */
export const wantedId = (search: string): WantedCode | undefined => (search ? { id: Number(search) } : undefined)
