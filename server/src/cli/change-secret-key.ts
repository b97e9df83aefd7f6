import { StartupError } from '../platform/startup-error.ts'
import { Vault } from '../platform/vault.ts'
import type { Command } from './command.ts'

/** Puts the keys of the vault under another SECRET_KEY. */
export const changeSecretKeyCommand: Command = {
  summary: 'wraps the keys of the codes with SECRET_KEY instead of OLD_SECRET_KEY; end the store before',
  async run({ config: { secretKey, oldSecretKey }, database, print }) {
    if (!secretKey || !oldSecretKey) {
      throw new StartupError(
        'Give both: OLD_SECRET_KEY, which opens the keys now, and SECRET_KEY, which is to open them.',
      )
    }
    const wrapped = await Vault.changeSecretKey(database, oldSecretKey, secretKey)
    print(
      wrapped > 0 ? `${wrapped} keys are under the new SECRET_KEY.` : 'All keys were under the new SECRET_KEY already.',
    )
    return 0
  },
}
