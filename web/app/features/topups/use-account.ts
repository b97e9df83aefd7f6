import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toastError, toastSuccess, toastWarning } from '../../ui/toast.ts'
import {
  type Account,
  accountText,
  cleanValue,
  faultText,
  findFaults,
  isPlayerIdOnly,
  refusedFields,
  sentAccount,
} from './account.ts'
import type { useDraft } from './draft.ts'
import { useKeptAccounts } from './kept-accounts.ts'
import type { TopupRules } from './rules.queries.ts'
import { specifiedTopups } from './specified-topups.ts'
import { useFindPlayer } from './topups.queries.ts'

/** The name of the field in the page, by which it gets the focus. */
export const toFieldName = (key: string): string => `account.${key}`

/** The button beside an account that is shown in one line, by a key that no field has. */
export const changeKey = '-change'

/** Nobody can tell now whether there is such a player. */
const nobodyTells = ['SUPPLIER_UNAVAILABLE', 'RATE_LIMITED']

interface Search {
  /** What to say when the player could not be looked for. */
  failed: string
  onFound?(playerName: string): void
  /** Runs where nobody can tell whether there is such a player; without it that is said as a failure. */
  onUnknown?(): void
}

/**
 * Whose account is topped up: what was filled in, what is wrong with it, and whether its player was found. All of it is said
 * at the fields; a game that asks for a player's ID alone says it in toasts besides, as the specification has it.
 */
export function useAccount(slug: string, rules: TopupRules, [draft, change]: ReturnType<typeof useDraft>) {
  const { t } = useTranslation()
  const { fields, player_check: check } = rules
  const kept = useKeptAccounts(slug, fields)
  const byField = useFindPlayer(slug)
  const byButton = useFindPlayer(slug)
  const isFinding = byField.isPending || byButton.isPending
  const setFocusOn = useFocusOn()
  const [isAttempted, setAttempted] = useState(false)
  const [left, setLeft] = useState<Record<string, boolean>>({})
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [trouble, setTrouble] = useState('')
  const specified = specifiedTopups[slug]
  const isChecked = check !== 'none' && !specified?.isSteam
  // Who was here before finds the account of the last time.
  const isEmpty = accountText(fields, draft.account) === ''
  const last = isEmpty && !draft.isTyped ? kept.accounts[0] : undefined
  const values = last?.account ?? draft.account
  const playerName = last?.name ?? draft.playerName
  const ownFaults = findFaults(fields, values)
  const faults = { ...ownFaults, ...refused }
  const isValid = Object.keys(ownFaults).length === 0
  const isFolded = isValid && (!draft.isTyped || (draft.isFound && playerName !== ''))
  const isPlayerId = isPlayerIdOnly(fields)

  /** Shows what is wrong, at its field. */
  const refuse = (refusedFaults: Record<string, string>) => {
    setRefused(refusedFaults)
    setFocusOn(Object.keys(refusedFaults)[0])
  }

  const showFaults = () => {
    setAttempted(true)
    setFocusOn(Object.keys(faults)[0])
  }

  /** Takes an account as a whole: what it does not have is emptied. */
  const put = (account: Account, how: { isTyped: boolean; playerName?: string }) => {
    setTrouble('')
    const every = Object.fromEntries(fields.map(({ key }) => [key, account[key] ?? '']))
    setRefused({})
    change({ account: every, isFound: false, playerName: '', ...how })
  }

  const find = (search: typeof byField, account: Account, { failed, onFound, onUnknown }: Search) => {
    setTrouble('')
    const missing = Object.keys(findFaults(fields, account))
    if (missing.length > 0) {
      setAttempted(true)
      change({ account, isTyped: true })
      setFocusOn(missing[0])
      if (isPlayerId) toastWarning(t('topups.enterId'))
      return
    }
    search.mutate(sentAccount(fields, account), {
      onSuccess: (playerName) => {
        kept.keep({ account, name: playerName })
        if (playerName !== '') toastSuccess(t('topups.playerFound'))
        change({ account, isFound: true, playerName })
        // The fields fold away, and Find with them, which has the focus.
        if (playerName !== '' && search === byField) setFocusOn(changeKey)
        onFound?.(playerName)
      },
      onError: (error) => {
        const code = error instanceof ApiError ? error.code : ''
        if (onUnknown && nobodyTells.includes(code)) return onUnknown()
        if (code !== 'PLAYER_NOT_FOUND' && code !== 'VALIDATION_FAILED') {
          const isTold = [...nobodyTells, 'NETWORK_ERROR'].includes(code)
          const reason = isTold ? `${failed} ${failureText(t, error)}` : failed
          const text = code === 'STEAM_LOGIN_REFUSED' ? failureText(t, error) : reason
          setTrouble(text)
          if (specified) toastError(text)
          return
        }
        change({ account, isTyped: true })
        if (isPlayerId) toastError(t('topups.invalidId'))
        const told = refusedFields(error)
        refuse(Object.keys(told).length > 0 ? told : { [fields.at(-1)?.key ?? '']: 'no_player' })
      },
    })
  }

  return {
    fields,
    values,
    isFound: draft.isFound,
    playerName,
    /** The account in one line, by the player's name where it is known. */
    text: playerName || accountText(fields, values),
    isValid,
    /** Whether the account is one that was used before, and is shown in one line. */
    isFolded,
    unfold: () => put(values, { isTyped: true }),
    isPlayerId,
    /** Whether the page looks for the player. */
    isChecked,
    isFinding,
    /** Whether the player is looked for because the account is about to be paid for. */
    isBecomingReady: byButton.isPending,
    /** Why the player could not be looked for; empty while nothing is in the way. */
    trouble,
    kept,
    showFaults,
    /** Returns what is wrong with a field, as soon as that is worth saying. */
    readFault: (key: string): string | undefined => {
      const field = fields.find((one) => one.key === key)
      const value = values[key] ?? ''
      const fault = faults[key]
      const isDue =
        isAttempted || refused[key] !== undefined || (value !== '' && (left[key] || field?.type === 'login'))
      return field && fault !== undefined && isDue ? faultText(t, field, fault) : undefined
    },
    change: (key: string, typed: string) => {
      const field = fields.find((one) => one.key === key)
      if (!field || isFinding) return
      setRefused({})
      setTrouble('')
      const account = { ...(last && values), [key]: cleanValue(field, typed) }
      change({ account, isTyped: true, isFound: false, playerName: '' })
    },
    leave: (key: string) => setLeft((others) => ({ ...others, [key]: true })),
    choose: (account: Account, name = '') => {
      put(account, { isTyped: false, playerName: name })
      if (isChecked) find(byField, account, { failed: t('topups.verifyFailed') })
    },
    clear: () => put({}, { isTyped: true }),
    find: () => find(byField, values, { failed: t('topups.verifyFailed') }),
    /** Runs `onReady` once the account may be paid for: whose player was not looked for yet is looked for now. */
    makeReady: (onReady: (playerName: string) => void) => {
      if (!isChecked || draft.isFound) return onReady(playerName)
      find(byButton, values, {
        failed: t('topups.failed'),
        onFound: onReady,
        ...(check === 'offered' && { onUnknown: () => onReady(playerName) }),
      })
    },
  }
}

export type AccountState = ReturnType<typeof useAccount>

/** What the form of an account shows and does; the admin area has it before there is anything to buy. */
export interface AccountFormState
  extends Pick<
    AccountState,
    | 'fields'
    | 'values'
    | 'isFound'
    | 'playerName'
    | 'isChecked'
    | 'isFinding'
    | 'readFault'
    | 'change'
    | 'leave'
    | 'choose'
    | 'find'
  > {
  kept: Pick<AccountState['kept'], 'accounts' | 'forget'>
  trouble?: string
  isFolded?: boolean
  unfold?(): void
}

/** Scrolls to a field, which may be above what is seen, or folded until the next render. */
function useFocusOn() {
  const [focused, setFocused] = useState<{ key: string | undefined }>()
  useEffect(() => {
    if (focused?.key === undefined) return
    const field = document.getElementsByName(toFieldName(focused.key))[0]
    // What folded away was in view already.
    field?.focus({ preventScroll: focused.key === changeKey })
  }, [focused])
  return (key: string | undefined) => setFocused({ key })
}
