import { Chip, Group } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
import { RegionName } from '../../money/RegionName.tsx'

interface RegionChoiceProps {
  product: Product
  /** 0 for none. */
  regionId: number
  onChoose(regionId: number): void
}

export function RegionChoice({ product, regionId, onChoose }: RegionChoiceProps) {
  const { t } = useTranslation()
  return (
    <Chip.Group value={String(regionId)} onChange={(id) => onChoose(Number(id))}>
      <Group gap="xs" role="radiogroup" aria-label={t('product.chooseRegion')}>
        {product.hasGlobalCodes && (
          <Chip value="0" size="md">
            {t('product.anyRegion')}
          </Chip>
        )}
        {product.regions.map((region) => (
          <Chip key={region.id} value={String(region.id)} size="md">
            <RegionName region={region} />
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
