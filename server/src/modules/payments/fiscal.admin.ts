import { randomUUID } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { type FiscalSettings, type FiscalTrial, fiscalApi } from '@olmos/contract/fiscal-settings'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { SERVER_BUSINESS } from '../../business.ts'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import { makeReceipt } from './fiscal-receipt.rules.ts'
import {
  type FiscalSettingsRow,
  lockFiscalSettings,
  readFiscalSettings,
  toDefaults,
  writeFiscalSettings,
} from './fiscal-receipts.ts'
import type { PaymentProvider } from './provider.ts'
import { type Providers, providerNamed } from './providers.ts'

/** Named in the provider's cabinet, and on the receipt that is never printed. */
const trialName = 'Проверка чека'

const listAvailable = ({ configured }: Providers): PaymentProvider[] =>
  configured.filter(({ needsContact }) => needsContact !== undefined)

const shownSettings = (row: FiscalSettingsRow, providers: Providers): FiscalSettings => ({
  ...row,
  available: listAvailable(providers).map(({ name, needsTaxSystem, least }) => ({
    name,
    needs_tax_system: needsTaxSystem === true,
    least: toMajor(least?.RUB ?? 1),
  })),
})

/**
 * Refuses receipts at a provider that takes none, at one that must know a tax system without one, and one of two codes that
 * belong together: VALIDATION_FAILED.
 */
function requireAble(before: FiscalSettingsRow, after: FiscalSettingsRow, providers: Providers): void {
  const available = listAvailable(providers)
  const added = after.providers.filter((name) => !before.providers.includes(name))
  if (added.some((name) => !available.some((provider) => provider.name === name)))
    throw new Failure('VALIDATION_FAILED', { providers: 'invalid' })
  const mustSay = available.some(({ name, needsTaxSystem }) => needsTaxSystem && after.providers.includes(name))
  if (mustSay && after.tax_system === null) throw new Failure('VALIDATION_FAILED', { tax_system: 'required' })
  if (after.ikpu !== null && after.package_code === null)
    throw new Failure('VALIDATION_FAILED', { package_code: 'required' })
  if (after.package_code !== null && after.ikpu === null) throw new Failure('VALIDATION_FAILED', { ikpu: 'required' })
}

const shownTrial = (outcome: Outcome<'canceled' | 'expires'>): FiscalTrial => {
  if (outcome.kind === 'done') return { outcome: 'accepted', code: null, parameter: null, payment: outcome.value }
  if (outcome.kind === 'unknown') return { outcome: 'unknown', code: outcome.why, parameter: null, payment: null }
  return { outcome: 'refused', code: outcome.code, parameter: outcome.parameter ?? null, payment: null }
}

export function fiscalAdmin(context: Context & { providers: Providers }): void {
  const { serve, database, providers, config, clock } = context

  serve(fiscalApi.settings, async () => ({ data: shownSettings(await readFiscalSettings(database), providers) }))

  serve(fiscalApi.change, ({ user, body: { version, ...change } }) =>
    database.transaction(async (tx) => {
      const before = await lockFiscalSettings(tx)
      requireVersion(shownSettings(before, providers), version)
      const wanted = { ...before, ...change, providers: [...new Set(change.providers ?? before.providers)] }
      requireAble(before, wanted, providers)
      const after = await writeFiscalSettings(tx, wanted)
      await writeAudit(tx, { actorId: user.id, action: 'fiscal.settings', subject: 'fiscal_settings', before, after })
      return { data: shownSettings(after, providers) }
    }),
  )

  /** Asks the provider to take a receipt of one line that says what the settings say. */
  const tryReceipt = async (
    provider: PaymentProvider,
    { amount, email }: { amount: number; email: string },
  ): Promise<Outcome<'canceled' | 'expires'>> => {
    const receipt = makeReceipt({
      contact: { email },
      items: [{ name: trialName, quantity: 1, amount }],
      charged: amount,
      defaults: toDefaults(await readFiscalSettings(database)),
    })
    const key = randomUUID()
    const request = {
      key,
      orderId: 'TRIAL',
      method: provider.methods[0].name,
      amount,
      currency: 'RUB',
      description: trialName,
      language: 'ru',
      returnUrl: config.publicUrl,
      expiresAt: new Date(clock.now().getTime() + SERVER_BUSINESS.reservationMinutes * 60_000),
      receipt,
    } as const
    return provider.tryReceipt?.(request) ?? unknown('not_supported')
  }

  serve(fiscalApi.try, async ({ user, body: { provider: name, amount, email } }) => {
    const provider = providerNamed(providers, name)
    if (!provider?.needsContact)
      throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', provider: name })
    const least = provider.least?.RUB ?? 1
    if (toMinor(amount) < least) throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(least), currency: 'RUB' })
    const trial = shownTrial(await tryReceipt(provider, { amount: toMinor(amount), email }))
    await database.transaction((tx) =>
      writeAudit(tx, {
        actorId: user.id,
        action: 'fiscal.try',
        subject: 'fiscal_settings',
        after: { provider: name, amount, ...trial },
      }),
    )
    return { data: trial }
  })
}
