import { rotateKey } from '../modules/codes/rotate-key.ts'
import { keepSecretKey } from '../platform/secret-key.ts'
import { Vault } from '../platform/vault.ts'
import type { Command } from './command.ts'

/** Gives the stock a new data key while the store serves. */
export const rotateKeyCommand: Command = {
  summary: 'seals all codes with a new key while the store serves; cut short, run it again',
  async run({ config, database, print, progress }) {
    const vault = await Vault.open(database, config.secretKey ?? (await keepSecretKey(config.dataDir)))
    let total = 0
    const resealed = await rotateKey(database, vault, {
      begun({ keyId, isResumed, codes }) {
        total = codes
        print(`${isResumed ? 'Going on with' : 'Made'} key ${keyId}; ${codes} codes to seal.`)
      },
      progressed: (done) => progress(`${done} of ${Math.max(done, total)} codes sealed`),
    })
    print(`${resealed} codes sealed; the keys before are deleted.`)
    return 0
  },
}
