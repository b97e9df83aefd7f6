import { rotateKey } from '../modules/codes/rotate-key.ts'
import { StartupError } from '../platform/closing.ts'
import { keepSecretKey, Vault } from '../platform/security/vault.ts'
import type { Command } from './command.ts'

/** Gives the stock a new data key while the store serves. */
export const rotateKeyCommand: Command = {
  summary: 'seals all codes with a new key while the store serves; cut short, run it again',
  async run({ config, database, print, progress }) {
    const vault = await Vault.open(database, config.secretKey ?? (await keepSecretKey(config.dataDir)))
    let total = 0
    const resealed = await rotateKey(database, vault, {
      started({ keyId, isResumed, codes }) {
        total = codes
        print(`${isResumed ? 'Going on with' : 'Made'} key ${keyId}; ${codes} codes to seal.`)
      },
      progressed: (done) => progress(`${done} of ${Math.max(done, total)} codes sealed`),
    })
    print(`${resealed} codes sealed; the keys before are deleted.`)
    return 0
  },
}

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
