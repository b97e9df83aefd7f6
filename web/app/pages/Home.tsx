import type { Product } from '@olmos/contract/catalogue'
import type { Promotion } from '@olmos/contract/promotions'
import { IconBolt, IconCreditCard, IconShieldLock } from '@tabler/icons-react'
import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { CatalogueGem } from '../features/catalogue/CatalogueGem.tsx'
import { Tile, TileGrid } from '../features/catalogue/Tile.tsx'
import { builtInTiles, codeTiles, type TileData, topupTiles } from '../features/catalogue/tiles.ts'
import { PromotionBadges } from '../features/promotions/PromotionBadges.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import classes from './Home.module.css'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'
import { structuredPage, structuredShop, structuredSite } from './structured-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const { read, t, describe, language, shop } = server
  const [promotions, products, topups] = await Promise.all([
    read<Promotion[]>('/promotions/active'),
    read<Product[]>('/products'),
    read<Product[]>('/topups'),
  ])
  const tiles = [...topupTiles(topups), ...codeTiles(products)]
  const texts: Record<string, string> = { pubg: t('home.pubg'), steam: t('home.steam'), freefire: t('home.freefire') }
  return {
    promotions: { language, data: promotions },
    tiles,
    action: shop.action_url ?? paths.products,
    featured: toFeatured(tiles, [...(topups ?? []), ...(products ?? [])], shop.featured).map((tile) => ({
      tile,
      text: texts[tile.slug] ?? '',
      action: t(tile.kind === 'topup' ? 'topups.topUpNow' : 'product.buyNow'),
    })),
    meta: {
      ...describe('', t('home.description')),
      title: t('home.title'),
      structured: structuredPage(structuredShop(server), structuredSite(server)),
    },
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** The products that the owner chose, as far as they are on sale; where there are none, those of the specification. */
function toFeatured(tiles: readonly TileData[], products: readonly Product[], chosen: readonly number[]): TileData[] {
  const featured = chosen.flatMap((id) => {
    const product = products.find((one) => one.id === id)
    return tiles.filter(({ slug }) => slug === product?.slug)
  })
  return featured.length > 0 ? featured : tiles.slice(0, builtInTiles.length)
}

/** How many tiles a phone sees of the catalogue without scrolling. */
const seenAtOnce = 6

export default function Home() {
  const { t } = useTranslation()
  const { promotions, tiles, action } = useLoaderData<typeof loader>()
  return (
    <>
      <section className={classes.hero}>
        <div className={classes.gem}>
          <CatalogueGem tiles={tiles} allTitle={t('products.title')} />
        </div>
        <div className={classes.heroContent}>
          <div className={classes.promotions}>
            <PromotionBadges initial={promotions} />
          </div>
          <h1 className={classes.title}>{t('home.hero')}</h1>
          <p className={classes.subtitle}>{t('home.heroText')}</p>
          <Link to={action} prefetch="intent" className={`cut press ${classes.action}`}>
            {t('home.heroAction')}
          </Link>
        </div>
      </section>
      <div className={classes.sections}>
        <section aria-labelledby="all">
          <h2 id="all">{t('home.all')}</h2>
          <TileGrid isDense>
            {tiles.map((tile, at) => (
              <Tile key={tile.slug} tile={tile} isFirst={at < seenAtOnce} />
            ))}
          </TileGrid>
        </section>
        <Featured />
        <Features />
      </div>
    </>
  )
}

function Featured() {
  const { t } = useTranslation()
  const { featured } = useLoaderData<typeof loader>()
  return (
    <section aria-labelledby="featured">
      <h2 id="featured">{t('home.featured')}</h2>
      <div className={classes.columns}>
        {featured.map((entry) => (
          <Tile key={entry.tile.slug} {...entry} look="row" />
        ))}
      </div>
    </section>
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
    <section aria-labelledby="features">
      <h2 id="features">{t('home.features')}</h2>
      <div className={classes.columns}>
        {features.map(({ icon: Icon, title, text }) => (
          <div key={title} className={classes.feature}>
            <Icon size={28} aria-hidden />
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
        ))}
      </div>
    </section>
  )
}
