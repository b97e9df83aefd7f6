import { List, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ColorScheme, colorSchemes, makeTheme, measureColors, type OwnColors } from '@olmos/contract/look'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './LookForm.module.css'

interface LookPreviewProps {
  colors: OwnColors
  /** What the shop is called. */
  name: string
}

/** Both themes in small as they would be, with the contrasts that the owner's colours come to. */
export const LookPreview = (props: LookPreviewProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    {colorSchemes.map((scheme) => (
      <ThemePreview key={scheme} scheme={scheme} {...props} />
    ))}
  </SimpleGrid>
)

function ThemePreview({ scheme, colors, name }: LookPreviewProps & { scheme: ColorScheme }) {
  const { t } = useTranslation()
  const theme = makeTheme(scheme, colors)
  const measured = measureColors(scheme, colors)
  const title = t(scheme === 'dark' ? 'header.darkTheme' : 'header.lightTheme')
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <div className={classes.theme} style={{ background: theme.ground, color: theme.text }} aria-hidden>
        <b>{name}</b>
        <span style={{ color: theme.dimmed }}>{t('admin.shop.sampleText')}</span>
        <div className={classes.card} style={{ background: theme.surface, borderColor: theme.line }}>
          <span>{t('admin.shop.sampleCard')}</span>
          <span className={`cut ${classes.press}`} style={{ background: theme.accent, color: theme.onAccent }}>
            {t('admin.shop.sampleButton')}
          </span>
        </div>
      </div>
      <div role="status">
        <List size="sm">
          {measured.map(({ pair, ratio, least }) => (
            <List.Item key={pair} c={ratio < least ? 'var(--olmos-bad)' : undefined}>
              {t(ratio < least ? 'admin.shop.tooLittle' : 'admin.shop.enough', {
                pair: t(`admin.shop.pairs.${pair}`),
                ratio,
                least,
              })}
            </List.Item>
          ))}
        </List>
      </div>
    </Stack>
  )
}
