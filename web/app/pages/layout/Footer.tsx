import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import classes from './Footer.module.css'

export function Footer() {
  const { t } = useTranslation()
  return (
    <footer className={classes.footer}>
      <div className={classes.content}>
        <div>
          <Logo />
          <Text size="sm" c="dimmed" mt={4}>
            {t('footer.text')}
          </Text>
        </div>
        <div className={classes.links}>
          <Anchor component={Link} to={paths.products} size="sm">
            {t('products.title')}
          </Anchor>
          <Anchor component={Link} to={paths.support} size="sm">
            {t('support.title')}
          </Anchor>
        </div>
      </div>
    </footer>
  )
}
