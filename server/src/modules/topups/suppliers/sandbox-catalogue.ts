import { createHash } from 'node:crypto'
import { type Decimal, formatDecimal, parseDecimal } from '@olmos/contract/decimal'
import { done, type Outcome, rejected } from '../../../platform/vendor/vendor.ts'
import {
  type Account,
  cutPage,
  type VendorField,
  type VendorOption,
  type VendorPage,
  type VendorProduct,
  type VendorService,
} from '../supplier.ts'

const ask = (key: string, label: string, type: VendorField['type'] = 'text'): VendorField => ({
  key,
  label,
  type,
  isRequired: true,
})
const choose = (key: string, label: string, options: Readonly<Record<string, string>>): VendorField => ({
  ...ask(key, label, 'select'),
  options: Object.entries(options).map(([value, label]) => ({ value, label })),
})

const userId = ask('user_id', 'User ID', 'digits')
const hoyoverse = choose('server', 'Server', {
  os_usa: 'America',
  os_euro: 'Europe',
  os_asia: 'Asia',
  os_cht: 'TW, HK, MO',
})

const forms = {
  user: [userId],
  zone: [userId, ask('zone_id', 'Zone ID', 'digits')],
  hoyoverse: [userId, hoyoverse],
  region: [ask('username', 'Nickname'), choose('server', 'Region', { eu: 'Europe', na: 'America', asia: 'Asia' })],
  world: [userId, ask('server_id', 'World', 'digits')],
  username: [ask('username', 'Username')],
  riot: [ask('riot_id', 'Riot ID')],
  tag: [ask('player_tag', 'Player tag')],
  phone: [ask('phone', 'Phone number')],
  code: [],
} as const satisfies Record<string, readonly VendorField[]>

/**
 * What the sandbox sells: reference, title, form, unit, and its packages with what they cost in USD. A package with a ~ comes
 * and goes.
 */
const wares = `
afk_journey | AFK Journey | user | Dragon Crystals | 60:0.88 300:4.40 980:13.20 1980:26.40 3280:43.90
arena_breakout | Arena Breakout | user | Bonds | 60:0.84 310:4.20 630:8.40 1580:21.00 3200:42.10
bigo_live | Bigo Live | user | Diamonds | 50:0.94 100:1.88 500:9.40 1000:18.80 5000:94.00
brawl_stars | Brawl Stars | tag | Gems | 30:1.72 80:4.40 170:8.80 360:17.60 950:43.90 2000:87.80 brawl_pass:7.90
call_of_duty_mobile | Call of Duty Mobile | user | CP | 80:0.89 420:4.40 880:8.80 2400:21.90 5000:43.80
clash_of_clans | Clash of Clans | tag | Gems | 80:0.88 500:4.40 1200:8.80 2500:17.60 6500:43.90 gold_pass:6.20
clash_royale | Clash Royale | tag | Gems | 80:0.88 500:4.40 1200:8.80 2500:17.60 6500:43.90 diamond_pass:10.50
delta_force | Delta Force | user | Delta Coins | 60:0.85 300:4.25 680:8.50 1280:16.00 3280:41.00
eafc_mobile | EA Sports FC Mobile | user | FC Points | 100:0.90 520:4.45 1070:8.90 2200:17.80 5750:44.50
efootball | eFootball | user | Coins | 130:0.92 300:1.84 550:3.68 1040:7.36 2130:13.80 12800:79.00~
fortnite | Fortnite | username | V-Bucks | 1000:7.60 2800:18.90 5000:30.40 13500:75.80
free_fire | Free Fire | user | Diamonds | 50:0.44 100:0.86 310:2.58 520:4.30 1060:8.60 2180:17.20 5600:43.00 weekly_membership:1.62
genshin_impact | Genshin Impact | hoyoverse | Genesis Crystals | 60:0.86 300:4.30 980:12.90 1980:25.80 3280:43.00 6480:86.00 blessing:4.30
honkai_star_rail | Honkai: Star Rail | hoyoverse | Oneiric Shards | 60:0.86 300:4.30 980:12.90 1980:25.80 3280:43.00 6480:86.00 supply_pass:4.30
honor_of_kings | Honor of Kings | user | Tokens | 16:0.19 80:0.90 240:2.70 400:4.50 830:9.00 2508:27.00 weekly_card:0.89
identity_v | Identity V | region | Echoes | 60:0.86 185:2.58 305:4.30 690:8.60 2025:25.80
league_of_legends | League of Legends | riot | RP | 575:4.40 1380:9.70 2800:19.40 4500:30.60 6500:43.80
likee | Likee | user | Diamonds | 42:0.88 210:4.40 420:8.80 2100:44.00
lords_mobile | Lords Mobile | user | Diamonds | 209:1.80 524:4.50 1048:9.00 2096:18.00 5240:45.00
mobile_legends | Mobile Legends | zone | Diamonds | 11:0.19 22:0.38 56:0.93 86:1.42 112:1.86 172:2.84 257:4.20 344:5.61 429:6.98 514:8.40 706:11.40 878:14.20~ 1412:22.70 2195:34.10 3688:56.90 5532:85.20 9288:142.00 weekly_pass:1.58 twilight_pass:7.60
pubg_mobile | PUBG Mobile | user | UC | 60:0.88 325:4.36 660:8.70 1800:21.70 3850:43.40 8100:86.80 prime:0.87
pubg_new_state | PUBG: New State | user | NC | 300:0.90 1580:4.50 3580:9.00 10230:22.50
ragnarok_origin | Ragnarok Origin | world | Nyan Berry | 60:0.85 300:4.25 980:12.80 1980:25.60
roblox | Roblox | username | Robux | 400:4.60 800:9.20 1700:18.40 4500:46.00 10000:92.00
standoff2 | Standoff 2 | user | Gold | 100:1.20 500:5.70 1000:11.00 3000:31.50
telegram_premium | Telegram Premium | username | Months | 3:11.30 6:15.10 12:27.40
telegram_stars | Telegram Stars | username | Stars | 50:0.78 100:1.56 250:3.88 500:7.76 1000:15.50 2500:38.70
tiktok_coins | TikTok Coins | username | Coins | 70:0.80 350:3.95 700:7.90 1400:15.80 3500:39.40
uz_mobile | Uzbek mobile phones | phone | Soums | 10000:0.84 25000:2.08 50000:4.15 100000:8.28
valorant | Valorant | riot | VP | 475:4.40 1000:8.80 2050:17.60 3650:30.60 5350:43.80 11000:87.60
whiteout_survival | Whiteout Survival | user | Frost Stars | 50:0.92 250:4.60 500:9.20 1000:18.40 2500:46.00~
world_of_tanks_blitz | World of Tanks Blitz | region | Gold | 250:1.05 1250:4.70 2500:8.90 5500:17.80 14500:43.90
zenless_zone_zero | Zenless Zone Zero | hoyoverse | Monochromes | 60:0.86 300:4.30 980:12.90 1980:25.80 3280:43.00
google_play_tr | Google Play (TR) | code | TRY | 25:0.74 50:1.46 100:2.90 250:7.25 500:14.40
itunes_us | Apple Gift Card (US) | code | USD | 5:4.75 10:9.45 25:23.50 50:46.90 100:93.50
nintendo_eshop_us | Nintendo eShop (US) | code | USD | 10:9.40 20:18.75 35:32.80 50:46.80
psn_us | PlayStation Store (US) | code | USD | 10:9.10 25:22.60 50:45.00 100:89.90
razer_gold | Razer Gold | code | USD | 5:4.80 10:9.60 20:19.20 50:48.00
touch_n_go | Touch 'n Go (MY) | code | MYR | 10:10.10 20:20.20 50:50.40
xbox_us | Xbox Gift Card (US) | code | USD | 10:9.30 25:23.00 50:45.80~ 100:91.50
`

/** It is in a currency that the shop has no rate of; everything else is in USD. */
const foreign = { service: 'touch_n_go', currency: 'MYR' }
/** Its costs rise by two fifths in every second hour, further than a shop lets them pass. */
const wild = 'pubg_new_state'
/** Players of these can't be looked for. */
const unchecked: readonly string[] = ['uz_mobile', 'ragnarok_origin', 'likee']
/** An order of it has to come with the token of the player check, if it comes with any. */
const withToken = 'mobile_legends'

const perPage = 10
const stepMs = 600_000
const hourMs = 3_600_000

/** A number that looks random, and always the same for the same text. */
const toNumber = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)

interface Package {
  reference: string
  name: string
  /** In USD, before it moves. */
  cost: Decimal
  comesAndGoes: boolean
}

interface Ware {
  service: VendorService
  packages: readonly Package[]
}

function toWare(line: string): Ware {
  const [reference = '', title = '', form = '', unit = '', told = ''] = line.split(' | ')
  const packages = told.split(' ').map((text) => {
    const [, amount = '', cost = '', mark] = /^(\w+):([\d.]+)(~?)$/.exec(text) ?? []
    const isCounted = /^\d+$/.test(amount)
    const name = isCounted
      ? `${amount} ${unit}`
      : amount.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
    const slug = isCounted ? `${amount}_${unit.toLowerCase().replace(/\W+/g, '_')}` : amount
    return { reference: `${reference}/${slug}`, name, cost: parseDecimal(cost) ?? 0n, comesAndGoes: mark === '~' }
  })
  const isCode = form === 'code'
  const check = isCode || unchecked.includes(reference) ? {} : { checkReference: reference }
  const fields = forms[form as keyof typeof forms]
  return { service: { reference, title, kind: isCode ? 'code' : 'topup', fields, ...check }, packages }
}

const catalogue: ReadonlyMap<string, Ware> = new Map(
  wares
    .trim()
    .split('\n')
    .map((line) => [line.split(' ', 1)[0] ?? '', toWare(line)]),
)

/** What the sandbox sells, at a time: every ten minutes its costs move by up to 2 %. */
export function sandboxCatalogueAt(now: Date) {
  const [step, hour] = [Math.floor(now.getTime() / stepMs), Math.floor(now.getTime() / hourMs)]

  const costNow = (service: string, reference: string, cost: Decimal): Decimal => {
    const permille = 980 + (toNumber(`${reference} ${step}`) % 41)
    const factor = service === wild && hour % 2 === 1 ? 140n : 100n
    return (cost * BigInt(permille) * factor) / 100_000n
  }

  const toProduct = ({ service }: Ware, { reference, name, cost }: Package): VendorProduct => {
    const luck = toNumber(`stock ${reference} ${step}`)
    return {
      reference,
      name,
      cost: formatDecimal(costNow(service.reference, reference, cost)),
      currency: service.reference === foreign.service ? foreign.currency : 'USD',
      ...(service.kind === 'code' && { stock: luck % 12 === 0 ? 0 : luck % 90 }),
    }
  }

  const isThere = ({ comesAndGoes }: Package): boolean => !comesAndGoes || hour % 2 === 0

  return {
    listServices: (cursor?: string): VendorPage<VendorService> =>
      cutPage(
        [...catalogue.values()].map(({ service }) => service),
        cursor,
        perPage,
      ),

    listProducts(service: string, cursor?: string): Outcome<VendorPage<VendorProduct>> {
      const ware = catalogue.get(service)
      if (!ware) return rejected('no_such_service')
      const products = ware.packages.filter(isThere).map((one) => toProduct(ware, one))
      return done(cutPage(products, cursor, perPage))
    },

    listOptions(service: string, field: string): Outcome<readonly VendorOption[]> {
      const fields = catalogue.get(service)?.service.fields
      return fields ? done(fields.find(({ key }) => key === field)?.options ?? []) : rejected('no_such_service')
    },

    /** Undefined for what is not of the catalogue; `isSold` is false for what is not there now, or never was. */
    find(reference: string): { service: VendorService; product?: VendorProduct; isSold: boolean } | undefined {
      const ware = catalogue.get(reference.replace(/\/.*/s, ''))
      if (!ware || !reference.includes('/')) return undefined
      const own = ware.packages.find((one) => one.reference === reference)
      return {
        service: ware.service,
        ...(own && { product: toProduct(ware, own) }),
        isSold: own !== undefined && isThere(own),
      }
    },
  }
}

/** The form of a game that is in the catalogue. */
export const findSandboxForm = (service: string): readonly VendorField[] | undefined =>
  catalogue.get(service)?.service.fields

/** Whether orders of a game come with the token of the player check. */
export const isTokenNeeded = (service: string): boolean => service === withToken

/** What the check of a player hands out for an order of this account; only one game has it. */
export const toSandboxToken = (service: string, account: Account): string | undefined => {
  if (!isTokenNeeded(service)) return undefined
  const entries = Object.entries(account).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${service}.${toNumber(JSON.stringify(entries))}`
}
