import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { accountsAdmin, accountsRoutes, secondFactorAdmin, staffAdmin } from './modules/accounts/accounts.routes.ts'
import type { Passwords } from './modules/accounts/accounts.ts'
import { createAuthenticate, forgetTheExpired } from './modules/accounts/sessions.ts'
import { forgetOldSpending } from './modules/accounts/staff.ts'
import { alertsAdmin } from './modules/alerts/alerts.ts'
import { auditAdmin } from './modules/audit/audit.ts'
import { cartRoutes } from './modules/cart/cart.routes.ts'
import { catalogueAdmin, catalogueRoutes, denominationsAdmin } from './modules/catalogue/catalogue.routes.ts'
import { offerChangesAdmin } from './modules/catalogue/change-offers.ts'
import { approvalsAdmin, expireApprovals, keepForYes } from './modules/checkout/approvals.ts'
import {
  activationRoutes,
  checkoutAdmin,
  checkoutRoutes,
  disputesAdmin,
  sandboxRoutes,
} from './modules/checkout/checkout.routes.ts'
import { expireUnpaidOrders, watchPayments } from './modules/checkout/receive-webhook.ts'
import { batchesAdmin, codesAdmin, generatedCodesAdmin, poolCodesAdmin } from './modules/codes/codes.admin.ts'
import { sellByExpiry, warnOfExpiry, withdrawExpired } from './modules/codes/purchases.ts'
import { couponsAdmin } from './modules/coupons/coupons.admin.ts'
import { deliveryRoutes } from './modules/delivery/operators-queue.ts'
import { forgetOldEvents } from './modules/delivery/run-deliveries.ts'
import { measureMinutes, readSupplierBalances } from './modules/delivery/supplier-health.ts'
import { renewSuppliers, supplierSetupAdmin } from './modules/delivery/supplier-setup.ts'
import { messagesAdmin } from './modules/messages/messages.admin.ts'
import { notificationsAdmin, notificationsRoutes, readTelegramStarts } from './modules/messages/notifications.ts'
import { recoveryRoutes } from './modules/messages/recovery.ts'
import { resetPasswordAdmin } from './modules/messages/reset-password.ts'
import { forgetOldMessages } from './modules/messages/send-messages.ts'
import { backupJobs } from './modules/operations/backup-copies.ts'
import { exportsAdmin } from './modules/operations/exports.ts'
import {
  metricsRoutes,
  operationsAdmin,
  operationsRoutes,
  proveInvariants,
  proveLately,
  reconciliationAdmin,
  wellKnownRoutes,
} from './modules/operations/operations.routes.ts'
import { profitAdmin } from './modules/operations/profit.ts'
import { serviceAdmin } from './modules/operations/service-report.ts'
import { summaryAdmin, warnOfLowStock } from './modules/operations/summary.ts'
import { ordersAdmin } from './modules/orders/admin-orders.ts'
import { orderViewsAdmin } from './modules/orders/order-filters.ts'
import { forgetOldShares, ordersRoutes, sharedReceiptsRoutes } from './modules/orders/orders.routes.ts'
import { fiscalAdmin, watchReceipts } from './modules/payments/fiscal.ts'
import { fillingSettingsRoutes } from './modules/payments/methods.ts'
import { paymentSetupAdmin } from './modules/payments/payment-setup.ts'
import { paymentsAdmin } from './modules/payments/payments.ts'
import { createProviders, type Providers } from './modules/payments/providers.ts'
import { reconcileYesterday } from './modules/payments/reconcile.ts'
import { forgetUnusedPictures, picturesAdmin, servePictures } from './modules/pictures/pictures.ts'
import { pricingAdmin } from './modules/pricing/pricing.admin.ts'
import { promotionsRoutes } from './modules/promotions/promotions.ts'
import { rateKeeping } from './modules/rates/rate-sources.ts'
import { ratesAdmin, ratesRoutes } from './modules/rates/rates.routes.ts'
import { keepRates, rateToBuyBy } from './modules/rates/rates.ts'
import { regionsAdmin } from './modules/regions/regions.ts'
import { reviewsAdmin, reviewsRoutes } from './modules/reviews/reviews.ts'
import { pagesRoutes } from './modules/shop/pages.ts'
import { readTimeZone, shopRoutes } from './modules/shop/shop.ts'
import { unitRoutes } from './modules/shop/units.ts'
import { sourcingAdmin } from './modules/sourcing/supplier-lists.ts'
import { syncCatalogues } from './modules/sourcing/sync.ts'
import { supportAdmin } from './modules/support/support.admin.ts'
import { supportRoutes } from './modules/support/support.ts'
import { createPlayerCheck } from './modules/topups/player-check.ts'
import { keepSteamRates } from './modules/topups/price-steam.ts'
import { createSuppliers, type SuppliersInForce } from './modules/topups/suppliers.ts'
import { topupsRoutes, tryTopupAdmin } from './modules/topups/topups.routes.ts'
import { walletAdmin, walletRoutes } from './modules/wallet/wallet.ts'
import { type Context, type Resources, systemClock } from './platform/context.ts'
import type { Job } from './platform/database/jobs.ts'
import { sendSecurityHeaders } from './platform/http/headers.ts'
import { createHttp } from './platform/http/http.ts'
import { apiReference } from './platform/http/openapi.ts'
import { createServe } from './platform/http/serve.ts'
import { createSecurityLog } from './platform/security/audit.ts'

/** What the store runs on, with the vendors it deals with. */
export interface AppResources extends Resources {
  providers: Providers
  suppliers: SuppliersInForce
}

/** Makes the vendors that the settings choose. Called once, by whoever builds the resources. */
export const openVendors = (
  { payments, paymentSettings, publicUrl, suppliers, supplierSettings }: Config,
  { database, vault, log }: Pick<Resources, 'database' | 'vault' | 'log'>,
): Pick<AppResources, 'providers' | 'suppliers'> => ({
  providers: createProviders({ chosen: payments, given: paymentSettings }, { database, vault, log, publicUrl }),
  suppliers: createSuppliers(
    { chosen: suppliers, given: supplierSettings },
    {
      database,
      vault,
      log,
      publicUrl,
      clock: systemClock,
      rateToBuyBy: (currency) => rateToBuyBy(database, currency),
    },
  ),
})

/** The calls of the store. The map: one line per routes file. */
export async function createApp(resources: AppResources, passwords: Passwords): Promise<FastifyInstance> {
  const { config, database, log, suppliers } = resources
  const app = createHttp(log, { ...config, tracer: resources.telemetry, isDroppingReads: resources.isDroppingReads })
  app.addHook('preClose', async () => resources.live.endAll())
  const security = createSecurityLog(database, log)
  metricsRoutes(app, resources, security)
  wellKnownRoutes(app, resources)
  sendSecurityHeaders(app, { isHttps: config.publicUrl.startsWith('https:') })
  servePictures(app, resources)
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 })

  await app.register(async (api) => {
    const { onRefusal, catalogueVersion, telemetry } = resources
    const authenticate = createAuthenticate(resources)
    const calls = { app: api, database, security, authenticate, catalogueVersion, onRefusal, whenRefused: keepForYes }
    const serve = createServe({ ...calls, isTraced: telemetry !== undefined })
    const context: Context & AppResources = { ...resources, serve, security }
    await renewSuppliers(resources)
    await resources.providers.renew()
    const players = createPlayerCheck(resources, suppliers)
    accountsRoutes(context, passwords)
    accountsAdmin(context)
    secondFactorAdmin(context, passwords)
    staffAdmin(context)
    regionsAdmin(context)
    promotionsRoutes(context)
    supportRoutes(context)
    supportAdmin(context)
    pricingAdmin(context)
    ratesRoutes(context)
    ratesAdmin(context, rateKeeping(config))
    catalogueRoutes(context)
    catalogueAdmin(context)
    offerChangesAdmin(context)
    denominationsAdmin(context)
    walletRoutes(context)
    walletAdmin(context)
    codesAdmin(context)
    generatedCodesAdmin(context)
    poolCodesAdmin(context)
    batchesAdmin(context)
    topupsRoutes(context, players)
    tryTopupAdmin(context, players)
    sourcingAdmin(context)
    couponsAdmin(context)
    cartRoutes(context, players)
    ordersRoutes(context)
    sharedReceiptsRoutes(context)
    ordersAdmin(context)
    orderViewsAdmin(context)
    reviewsRoutes(context)
    reviewsAdmin(context)
    deliveryRoutes(context)
    supplierSetupAdmin(context)
    checkoutRoutes(context, players)
    activationRoutes(context, players)
    checkoutAdmin(context)
    approvalsAdmin(context)
    disputesAdmin(context)
    paymentsAdmin(context)
    paymentSetupAdmin(context)
    fiscalAdmin(context)
    fillingSettingsRoutes(context)
    sandboxRoutes(context)
    operationsRoutes(context)
    operationsAdmin(context)
    summaryAdmin(context)
    serviceAdmin(context)
    profitAdmin(context)
    exportsAdmin(context)
    reconciliationAdmin(context)
    shopRoutes(context)
    unitRoutes(context)
    pagesRoutes(context)
    picturesAdmin(context)
    alertsAdmin(context)
    messagesAdmin(context)
    notificationsRoutes(context, passwords)
    notificationsAdmin(context)
    recoveryRoutes(context, passwords)
    resetPasswordAdmin(context, passwords)
    auditAdmin(context)
    if (config.apiDocs) await apiReference(api, { url: config.publicUrl, rows: serve.rows })
  })
  return app
}

async function forgetTheOld(resources: AppResources): Promise<void> {
  await forgetTheExpired(resources)
  await forgetOldShares(resources.database)
  await forgetOldEvents(resources.database)
  await forgetOldMessages(resources.database)
  await forgetOldSpending(resources.database)
  await forgetUnusedPictures(resources)
}

/** The timed work of the store. One line per job. */
export function createJobs(resources: AppResources): Job[] {
  return [
    { name: 'forget-expired', cron: '30 3 * * *', timeZone: 'UTC', run: () => forgetTheOld(resources) },
    // Checks every minute whether the day's update is due, so that its time can be changed and none is missed.
    { name: 'keep-rates', cron: '* * * * *', timeZone: 'UTC', run: () => keepRates(resources) },
    { name: 'expire-unpaid-orders', cron: '* * * * *', timeZone: 'UTC', run: () => expireUnpaidOrders(resources) },
    { name: 'watch-payments', cron: '* * * * *', timeZone: 'UTC', run: () => watchPayments(resources) },
    { name: 'watch-receipts', cron: '*/10 * * * *', timeZone: 'UTC', run: () => watchReceipts(resources) },
    { name: 'read-balances', cron: '*/10 * * * *', timeZone: 'UTC', run: () => readSupplierBalances(resources) },
    { name: 'measure-minutes', cron: '*/10 * * * *', timeZone: 'UTC', run: () => measureMinutes(resources) },
    // Looks every minute whether a list is due, so that a reading that was cut short is resumed soon.
    { name: 'sync-catalogues', cron: '* * * * *', timeZone: 'UTC', run: (leave) => syncCatalogues(resources, leave) },
    { name: 'keep-steam-rates', cron: '*/10 * * * *', timeZone: 'UTC', run: () => keepSteamRates(resources) },
    { name: 'read-telegram', cron: '* * * * *', timeZone: 'UTC', run: () => readTelegramStarts(resources) },
    { name: 'expire-approvals', cron: '* * * * *', timeZone: 'UTC', run: () => expireApprovals(resources) },
    { name: 'withdraw-expired', cron: '* * * * *', timeZone: 'UTC', run: () => withdrawExpired(resources) },
    { name: 'warn-of-low-stock', cron: '*/10 * * * *', timeZone: 'UTC', run: () => warnOfLowStock(resources) },
    { name: 'sell-by-expiry', cron: '* * * * *', timeZone: 'UTC', run: () => sellByExpiry(resources) },
    { name: 'warn-of-expiry', cron: '17 * * * *', timeZone: 'UTC', run: () => warnOfExpiry(resources) },
    {
      name: 'reconcile-payments',
      // Late enough that what was captured before midnight has been told.
      cron: '30 4 * * *',
      timeZone: () => readTimeZone(resources.database, resources.config),
      run: async () => void (await reconcileYesterday(resources)),
    },
    { name: 'prove-invariants', cron: '7 * * * *', timeZone: 'UTC', run: () => proveLately(resources) },
    { name: 'prove-everything', cron: '37 2 * * *', timeZone: 'UTC', run: () => proveInvariants(resources) },
    ...backupJobs(resources),
  ]
}
