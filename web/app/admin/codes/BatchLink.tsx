import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'

interface BatchLinkProps {
  /** The tab that lists the codes of the import. */
  tab: 'codes' | 'generatedCodes' | 'pubgCodes'
  batch: number
}

/** To all codes that came with one: what can be published, or recalled, together. */
export function BatchLink({ tab, batch }: BatchLinkProps) {
  const { t } = useTranslation()
  return (
    <Anchor component={Link} size="xs" underline="always" to={`${paths.admin(tab)}?batch=${batch}`}>
      {t(tab === 'generatedCodes' ? 'admin.generated.batch' : 'admin.codes.ofBatch', { batch })}
    </Anchor>
  )
}
