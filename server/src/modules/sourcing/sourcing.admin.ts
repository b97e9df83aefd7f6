import { Failure } from '@olmos/contract/failure'
import { sourcingApi } from '@olmos/contract/sourcing'
import { type SupplierSync, supplierListsApi } from '@olmos/contract/supplier-lists'
import { type TakingOver, takeOverApi } from '@olmos/contract/take-over'
import type { Context } from '../../platform/context.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { isSupplierName } from '../topups/suppliers.ts'
import { readSources, reopenSource, setSources } from './sources.ts'
import { listProducts, listServices, listSyncs, setFieldNames } from './supplier-lists.ts'
import { type CatalogueSupplier, hasCatalogue, type SourcingShop, startSync } from './sync.ts'
import { previewTakeOver, takeOver } from './take-over.ts'

export function sourcingAdmin(context: Context & SourcingShop): void {
  const { serve, database, suppliers } = context

  /** Reads a list of a supplier that the shop may have had before; only a name that nobody has is refused. */
  const requireName = (name: string): string => {
    if (isSupplierName(name) || suppliers.configured.some((supplier) => supplier.name === name)) return name
    throw new Failure('NOT_FOUND')
  }

  const requireCatalogue = (name: string): CatalogueSupplier => {
    const supplier = suppliers.configured.find((one) => one.name === requireName(name))
    if (!supplier || !hasCatalogue(supplier))
      throw new Failure('STATE_CONFLICT', { reason: 'no_catalogue', supplier: name })
    return supplier
  }

  const readSync = async (name: string): Promise<SupplierSync> => {
    const [sync] = await listSyncs(database, [name])
    if (!sync) throw new Failure('NOT_FOUND')
    return sync
  }

  serve(supplierListsApi.syncs, async () => ({
    data: await listSyncs(
      database,
      suppliers.configured.filter(hasCatalogue).map(({ name }) => name),
    ),
  }))

  serve(supplierListsApi.sync, async ({ params }) => ({ data: await readSync(requireName(params.name)) }))

  serve(supplierListsApi.startSync, async ({ user, params, body }) => {
    const supplier = requireCatalogue(params.name)
    const { acceptShrunk } = body
    const entry = { actorId: user.id, action: 'supplier.sync', subject: `supplier:${supplier.name}` } as const
    await database.transaction((tx) => writeAudit(tx, { ...entry, after: { acceptShrunk } }))
    await startSync(context, supplier, { isWanted: true, acceptsShrunk: acceptShrunk })
    return { data: await readSync(supplier.name) }
  })

  serve(supplierListsApi.services, ({ params, query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'title' as const, order: 'asc' as const }
    return listServices(database, { ...query, ...sorted, supplier: requireName(params.name) })
  })

  serve(supplierListsApi.setFieldNames, async ({ user, params, body }) => {
    const place = { supplier: requireName(params.name), serviceId: params.id }
    return { data: await database.transaction((tx) => setFieldNames(tx, user.id, place, body.fieldNames)) }
  })

  serve(supplierListsApi.products, ({ params, query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'name' as const, order: 'asc' as const }
    return listProducts(database, { ...query, ...sorted, supplier: requireName(params.name) })
  })

  const toWish = (call: { user: { id: number }; params: { name: string }; body: TakingOver }) => ({
    supplier: requireName(call.params.name),
    adminId: call.user.id,
    marginPercent: call.body.marginPercent,
    isByRule: call.body.priceMode === 'rule',
    isActive: call.body.isActive,
    isConfirmed: call.body.confirmPrices ?? false,
  })

  serve(takeOverApi.takeOver, async (call) => ({ data: await takeOver(context, call.body.games, toWish(call)) }))

  serve(takeOverApi.preview, async (call) => ({
    data: await previewTakeOver(context, call.body.games, toWish(call)),
  }))

  serve(sourcingApi.sources, async ({ params }) => ({ data: await readSources(database, params.id) }))

  serve(sourcingApi.setSources, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => setSources(tx, user.id, params.id, body)),
  }))

  serve(sourcingApi.reopenSource, async ({ user, params, body }) => {
    const place = { offerId: params.id, sourceId: params.sourceId }
    return { data: await database.transaction((tx) => reopenSource(tx, user.id, place, body)) }
  })
}
