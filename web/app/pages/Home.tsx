import { Box, Button, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Promotion } from '@olmos/contract/promotions'
import { IconBolt, IconCreditCard, IconShieldLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { ProductCard } from '../features/catalogue/ProductCard.tsx'
import { topupOffers } from '../features/catalogue/topup-offers.ts'
import { PromotionBadges } from '../features/promotions/PromotionBadges.tsx'
import { paths } from '../paths.ts'
import { Surface } from '../ui/Surface.tsx'
import classes from './Home.module.css'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { read, t, url, language } = await pageServer(args)
  const promotions = await read<Promotion[]>('/promotions/active')
  return {
    promotions: { language, data: promotions },
    meta: { title: t('home.title'), description: t('home.description'), url },
  }
}

/** Named in a stylesheet, where the browser would find it late. */
export const links = () => [{ rel: 'preload', as: 'image', href: '/art/hero.svg', fetchPriority: 'high' as const }]

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

export default function Home() {
  const { t } = useTranslation()
  const { promotions } = useLoaderData<typeof loader>()
  return (
    <>
      <Box component="section" className={classes.hero}>
        <Box className={classes.heroContent}>
          <div className={classes.promotions}>
            <PromotionBadges initial={promotions} />
          </div>
          <Stack gap="md" maw={560} my="auto">
            <Title order={1} textWrap="balance" className={classes.title}>
              {t('home.hero')}
            </Title>
            <Text size="lg" className={classes.subtitle}>
              {t('home.heroText')}
            </Text>
            <Button component={Link} to={paths.products} size="lg" className={classes.action}>
              {t('home.heroAction')}
            </Button>
          </Stack>
        </Box>
      </Box>
      <Box maw="var(--olmos-content)" mx="auto" px="md" py="xl">
        <Featured />
        <Features />
      </Box>
    </>
  )
}

function Featured() {
  const { t } = useTranslation()
  const texts: Record<string, string> = { pubg: t('home.pubg'), steam: t('home.steam'), freefire: t('home.freefire') }
  return (
    <Box component="section" aria-labelledby="featured">
      <Title order={2} id="featured" mb="md">
        {t('home.featured')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {topupOffers.map((offer) => (
          <ProductCard key={offer.slug} title={offer.title} image={offer.image} link={offer.link}>
            <Text size="sm" c="dimmed" mb="sm">
              {texts[offer.slug]}
            </Text>
            <Button component="span" fullWidth variant="light" className={classes.topUp}>
              {t('home.topUp')}
            </Button>
          </ProductCard>
        ))}
      </SimpleGrid>
    </Box>
  )
}

function Features() {
  const { t } = useTranslation()
  const features = [
    { icon: IconShieldLock, title: t('home.secure'), text: t('home.secureText') },
    { icon: IconBolt, title: t('home.fast'), text: t('home.fastText') },
    { icon: IconCreditCard, title: t('home.payment'), text: t('home.paymentText') },
  ]
  return (
    <Box component="section" aria-labelledby="features" mt={48}>
      <Title order={2} id="features" mb="md">
        {t('home.features')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {features.map(({ icon: Icon, title, text }) => (
          <Surface key={title}>
            <Icon size={28} color="var(--mantine-color-anchor)" aria-hidden />
            <Title order={3} size="h4" mt="xs">
              {title}
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              {text}
            </Text>
          </Surface>
        ))}
      </SimpleGrid>
    </Box>
  )
}
