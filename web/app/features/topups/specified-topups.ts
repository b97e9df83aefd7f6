import type { TextKey } from '../../i18n/texts.ts'

/** What the specification gives a game besides what its rows say. */
interface SpecifiedTopup {
  /** Explains the first field, where its row does not. */
  hint: Extract<TextKey, 'topups.playerIdHint' | 'topups.steam.loginHint'>
  /** Codes that the shop generated are activated on its page. */
  activatesCodes?: true
  /** Its page has no check: the account is checked when it is paid for. Where one finds it, and where it works, is said. */
  isSteam?: true
}

/** The three games of the specification, by their slugs. */
export const specifiedTopups: Readonly<Record<string, SpecifiedTopup | undefined>> = {
  pubg: { hint: 'topups.playerIdHint' },
  freefire: { hint: 'topups.playerIdHint', activatesCodes: true },
  steam: { hint: 'topups.steam.loginHint', isSteam: true },
}
