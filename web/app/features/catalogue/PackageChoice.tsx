import { Box, Button, Chip, Group, Title } from '@mantine/core'
import type { PackageEntry, Product } from '@olmos/contract/catalogue'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GameAmount } from '../../money/GameAmount.tsx'
import { Message } from '../../ui/Message.tsx'
import { usePackages } from './catalogue.queries.ts'
import { PackageGrid, PackageGridSkeleton } from './PackageGrid.tsx'

interface PackageChoiceProps {
  product: Product
  /** Shown before another one is chosen; 0 for none. */
  firstRegion: number
  /** The packages of the first region, when the server has read them. */
  initial: PackageEntry[] | undefined
  /** What to do with the chosen package; none where nothing can be bought yet. */
  renderBuy: ((chosen: PackageEntry | undefined) => ReactNode) | undefined
}

/** Region, popular packages, all packages: choosing one of them. */
export function PackageChoice({ product, firstRegion, initial, renderBuy }: PackageChoiceProps) {
  const { t } = useTranslation()
  const [regionId, setRegionId] = useState(firstRegion)
  const [page, setPage] = useState(1)
  const [chosenId, setChosenId] = useState<number>()
  const query = usePackages(product.id, regionId, regionId === firstRegion ? initial : undefined)
  const packages = query.data ?? []
  const chosen =
    packages.find((entry) => entry.offer_id === chosenId) ?? packages.find((entry) => entry.available_count > 0)
  const popular = packages.filter((entry) => entry.is_popular && entry.available_count > 0)

  const chooseRegion = (id: string) => {
    setRegionId(Number(id))
    setPage(1)
    setChosenId(undefined)
  }

  return (
    <Box>
      {product.hasRegions && (
        <Box component="section" mb="lg">
          <Title order={2} size="h3" mb="xs" id="region">
            {t('product.chooseRegion')}
          </Title>
          <Chip.Group value={String(regionId)} onChange={(id) => chooseRegion(id as string)}>
            <Group gap="xs" role="radiogroup" aria-labelledby="region">
              {product.hasGlobalCodes && <Chip value="0">{t('product.anyRegion')}</Chip>}
              {product.regions.map((region) => (
                <Chip key={region.id} value={String(region.id)}>
                  {region.flag} {region.name}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Box>
      )}
      {renderBuy && popular.length > 0 && (
        <Box component="section" mb="lg">
          <Title order={2} size="h3" mb="xs">
            {t('product.popular')}
          </Title>
          <Group gap="xs">
            {popular.map((entry) => (
              <Button key={entry.offer_id} variant="default" onClick={() => setChosenId(entry.offer_id)}>
                <GameAmount amount={entry.game_amount} currency={entry.game_currency} />
              </Button>
            ))}
          </Group>
        </Box>
      )}
      <Box component="section">
        <Title order={2} size="h3" mb="xs">
          {t(renderBuy ? 'product.choosePackage' : 'product.all')}
        </Title>
        {query.isPending && <PackageGridSkeleton />}
        {query.isError && (
          <Message title={t('product.packagesFailed')}>
            <Button onClick={() => query.refetch()}>{t('products.retry')}</Button>
          </Message>
        )}
        {query.isSuccess && packages.length === 0 && <Message title={t('product.nothingToBuy')} />}
        {packages.length > 0 && (
          <PackageGrid
            label={t('product.choosePackage')}
            packages={packages}
            chosen={renderBuy ? chosen : undefined}
            page={page}
            onPage={setPage}
            {...(renderBuy && { onChoose: (entry: PackageEntry) => setChosenId(entry.offer_id) })}
          />
        )}
      </Box>
      {renderBuy?.(chosen)}
    </Box>
  )
}
