import { firstContacts } from '@olmos/contract/first-shop'
import type { ShownShop } from '@olmos/contract/shop'
import { useRouteLoaderData } from 'react-router'

/** Where the people of the shop are reached, and within how many hours they answer. */
type ShopContacts = Pick<ShownShop, keyof typeof firstContacts>

/** What the owner says of that. */
export const useContacts = (): ShopContacts =>
  useRouteLoaderData<{ contacts: ShopContacts }>('root')?.contacts ?? firstContacts

const messengers: Readonly<Record<string, string>> = {
  't.me': 'Telegram',
  'telegram.me': 'Telegram',
  'telegram.org': 'Telegram',
  'wa.me': 'WhatsApp',
  'vk.me': 'VK',
  'discord.gg': 'Discord',
}

/** Names a messenger as people do; one that is not known by its host. */
const toMessenger = (url: string): string => {
  const host = new URL(url).hostname.replace(/^www\./, '')
  return messengers[host] ?? host
}

/** Every way to reach somebody, as links, and when somebody answers. */
export function Contacts() {
  const { messenger_url, email, phone, working_hours } = useContacts()
  return (
    <>
      {messenger_url && (
        <a href={messenger_url} target="_blank" rel="noopener noreferrer">
          {toMessenger(messenger_url)}
        </a>
      )}
      {email && <a href={`mailto:${email}`}>{email}</a>}
      {phone && <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>}
      {working_hours && <p>{working_hours}</p>}
    </>
  )
}
