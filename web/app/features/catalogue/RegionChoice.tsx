import { Chip, Group } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
import classes from './RegionChoice.module.css'

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
            <Flag flag={region.flag} /> {region.name}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}

/** An emoji, or the address of a picture. The name beside it says what it shows. */
function Flag({ flag }: { flag: string }) {
  if (!/^(https:\/)?\//.test(flag)) return <span aria-hidden>{flag}</span>
  return <img src={flag} alt="" width={20} height={15} className={classes.flag} />
}
