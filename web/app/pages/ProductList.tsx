import type { Product } from '@olmos/contract/catalogue'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useRevalidator,
} from 'react-router'
import { useAddress } from '../address.ts'
import { findProducts } from '../features/catalogue/search.ts'
import { Tile, TileGrid } from '../features/catalogue/Tile.tsx'
import { builtInTiles, codeTiles, type TileData, topupTiles } from '../features/catalogue/tiles.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { RegionName } from '../money/RegionName.tsx'
import { Drawing } from '../ui/Drawing.tsx'
import { RetryMessage } from '../ui/RetryMessage.tsx'
import { isShown, type ListFilter, useListFilter } from './list-filter.ts'
import classes from './ProductList.module.css'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'
import { structuredPage, structuredTrail } from './structured-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const { read, t, describe } = server
  const [products, topups] = await Promise.all([read<Product[]>('/products'), read<Product[]>('/topups')])
  return {
    codes: products && codeTiles(products),
    topups: topupTiles(topups),
    meta: {
      ...describe(t('products.title'), t('products.description')),
      structured: structuredPage(structuredTrail(server, [], t('products.title'))),
    },
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** The search and the chips go through what is here already. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search && defaultShouldRevalidate

/** How many are offered where nothing was found, and how many of a section are seen without scrolling. */
const suggestedCount = 4
const seenAtOnce = 4

export default function ProductList() {
  const { t } = useTranslation()
  const { codes, topups } = useLoaderData<typeof loader>()
  const [params, change] = useAddress()
  const wanted = params.get('search') ?? ''
  const search = (text: string) => change({ search: text })
  const filter = useListFilter(params)
  const choose = ({ kind, region }: ListFilter) => change({ kind, region })
  const all = [...topups, ...(codes ?? [])]
  const found = findProducts(
    wanted,
    all.filter((tile) => isShown(filter, tile)),
  )
  const ofKind = (kind: TileData['kind']) => found.filter((tile) => tile.kind === kind)
  const showAll = () => change({ search: undefined, kind: undefined, region: undefined })

  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('products.title')}</h1>
      <search className={classes.tools}>
        <SearchField text={wanted} onChange={search} />
        <FilterChips tiles={all} filter={filter} onChoose={choose} />
      </search>
      {found.length === 0 && codes && <NothingFound tiles={all.slice(0, suggestedCount)} onShowAll={showAll} />}
      <Section title={t('products.topups')} tiles={ofKind('topup')} first={builtInTiles.length + 1} />
      <Section title={t('products.cards')} tiles={ofKind('code')} first={seenAtOnce} />
      {codes === undefined && <ProductsFailed />}
    </div>
  )
}

function SearchField({ text, onChange }: { text: string; onChange(text: string): void }) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const { state, key } = useLocation()
  // A press on the magnifier of the header is the wish to type, each time.
  const askedAt = state?.isSearching === true ? key : undefined
  useEffect(() => {
    if (askedAt !== undefined) field.current?.focus()
  }, [askedAt])
  return (
    <label className={classes.search}>
      <IconSearch size={20} aria-hidden />
      <span className="visually-hidden">{t('products.search')}</span>
      <input
        ref={field}
        type="search"
        autoComplete="off"
        placeholder={t('products.searchHint')}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {text !== '' && (
        <button type="button" aria-label={t('products.erase')} onClick={() => onChange('')}>
          <IconX size={18} aria-hidden />
        </button>
      )}
    </label>
  )
}

interface FilterChipsProps {
  tiles: readonly TileData[]
  filter: ListFilter
  onChoose(filter: ListFilter): void
}

/** Kinds, and the regions that something is sold in. A press on what is chosen takes it back. */
function FilterChips({ tiles, filter, onChoose }: FilterChipsProps) {
  const { t } = useTranslation()
  const regions = [...new Map(tiles.flatMap((tile) => tile.regions).map((region) => [region.id, region])).values()]
  const kinds = { topup: t('products.topups'), code: t('products.codes') } as const
  return (
    <fieldset className={classes.chips}>
      <legend className="visually-hidden">{t('products.filter')}</legend>
      {(['topup', 'code'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className={classes.chip}
          aria-pressed={filter.kind === kind}
          onClick={() => onChoose({ kind: filter.kind === kind ? undefined : kind })}
        >
          {kinds[kind]}
        </button>
      ))}
      {regions.map((region) => (
        <button
          key={region.id}
          type="button"
          className={classes.chip}
          aria-pressed={filter.region === region.id}
          onClick={() => onChoose(filter.region === region.id ? {} : { region: region.id })}
        >
          <RegionName region={region} />
        </button>
      ))}
    </fieldset>
  )
}

function Section({ title, tiles, first }: { title: string; tiles: readonly TileData[]; first: number }) {
  if (tiles.length === 0) return null
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <TileGrid>
        {tiles.map((tile, at) => (
          <Tile key={tile.slug} tile={tile} isFirst={at < first} />
        ))}
      </TileGrid>
    </section>
  )
}

function NothingFound({ tiles, onShowAll }: { tiles: readonly TileData[]; onShowAll(): void }) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.nothing} role="status">
        <Drawing of="empty" />
        <div>
          <h2>{t('products.nothing')}</h2>
          <p>{t('products.nothingText')}</p>
          <button type="button" className={classes.chip} onClick={onShowAll}>
            {t('products.clear')}
          </button>
        </div>
      </div>
      <Section title={t('products.suggested')} tiles={tiles} first={suggestedCount} />
    </>
  )
}

function ProductsFailed() {
  const { t } = useTranslation()
  const { revalidate, state } = useRevalidator()
  return (
    <RetryMessage
      level={2}
      title={t('products.failed')}
      text={t('loading.failedText')}
      retry={{ label: t('loading.retry'), isBusy: state === 'loading', onClick: revalidate }}
    />
  )
}
