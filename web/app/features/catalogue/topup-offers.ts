import { paths } from '../../paths.ts'

/** The three top-ups the store always has, with pages of their own. */
export const topupOffers = [
  { slug: 'pubg', title: 'PUBG Mobile', image: '/art/pubg.svg', keywords: ['pubg', 'uc', 'пабг', 'юс'] },
  { slug: 'steam', title: 'Steam', image: '/art/steam.svg', keywords: ['steam', 'стим', 'кошелёк', 'hamyon'] },
  {
    slug: 'freefire',
    title: 'Free Fire',
    image: '/art/freefire.svg',
    keywords: ['free fire', 'фри фаер', 'алмазы', 'olmos'],
  },
].map((offer) => ({ ...offer, link: paths.product(offer.slug) }))
