import { Button, Group, Stack, Text } from '@mantine/core'
import { type Language, languages } from '@olmos/contract/fields'
import type { ShopQuestion } from '@olmos/contract/front'
import { IconEye } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { Faq } from '../../features/support/Faq.tsx'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SideView } from '../list/SideView.tsx'
import { type BuiltInText, useBuiltInTexts, useOwnTexts, useShopSettings, type Words } from '../shop/shop.queries.ts'
import type { BannerValues } from './front.queries.ts'
import classes from './Preview.module.css'

interface PreviewProps {
  /** What is shown, where more than one thing on the screen can be. */
  name?: string
  children(language: Language): ReactNode
}

/** A button that shows at the side how something will look in each language, as it is typed and not saved. */
export function Preview({ name, children }: PreviewProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<IconEye size={18} aria-hidden />}
        aria-label={name && `${t('admin.pages.preview')}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {t('admin.pages.preview')}
      </Button>
      {isOpen && (
        <SideView title={name ?? t('admin.pages.preview')} onClose={() => setOpen(false)}>
          <InEachLanguage>{children}</InEachLanguage>
        </SideView>
      )}
    </Group>
  )
}

/** Shows the same thing once for each language. */
export const InEachLanguage = ({ children }: Pick<PreviewProps, 'children'>) => (
  <Stack>
    {languages.map((language) => (
      <section key={language} aria-label={languageNames[language]}>
        <Text size="sm" c="dimmed" mb={4}>
          {languageNames[language]}
        </Text>
        <div lang={language} className={classes.shown}>
          {children(language)}
        </div>
      </section>
    ))}
  </Stack>
)

/** The strip above every page. A language without a text has the first there is. */
export function BannerStrip({ banner: { texts, kind, url }, language }: { banner: BannerValues; language: Language }) {
  const { t } = useTranslation()
  const text = texts[language].trim() || Object.values(texts).find((one) => one.trim() !== '')
  if (!text) return <Text c="dimmed">{t('admin.pages.blank')}</Text>
  return (
    <p className={classes.strip} data-kind={kind}>
      {url.trim() ? <u>{text}</u> : text}
    </p>
  )
}

/** Questions as they open on the support page. */
export function QuestionList({ questions }: { questions: readonly ShopQuestion[] }) {
  const { t } = useTranslation()
  if (questions.length === 0) return <Text c="dimmed">{t('admin.front.storesQuestions')}</Text>
  return <Faq entries={questions} />
}

interface Typed {
  text: BuiltInText
  /** By language; blank where the store's own words stand. */
  words: Words
}

/** The top of the home page in the words that are in force, or typed for one of its texts. */
export function HomeTop({ language, typed }: { language: Language; typed?: Typed }) {
  const own = useOwnTexts().data
  const builtIn = useBuiltInTexts().data
  const toText = (key: string) => {
    const text = builtIn?.find((one) => one.key === key)
    const words = typed?.text.key === key ? typed.words[language].trim() : own?.texts[language]?.[key]
    return words || text?.words[language] || ''
  }
  return (
    <div className={classes.hero}>
      <p>
        <Sample text={toText('home.hero')} />
      </p>
      <p>
        <Sample text={toText('home.heroText')} />
      </p>
      <span className="cut press">
        <Sample text={toText('home.heroAction')} />
      </span>
    </div>
  )
}

/** A text as it will be read, in the words that are typed or else the store's own; those of the home page where they stand. */
export function WordsInPlace({ typed, language }: { typed: Typed; language: Language }) {
  const { text, words } = typed
  if (/^home\.hero/.test(text.key)) return <HomeTop language={language} typed={typed} />
  return (
    <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      <Sample text={words[language].trim() || text.words[language]} />
    </Text>
  )
}

/** Fills in the name of the shop and numbers that are made up, and underlines what will be a link. */
function Sample({ text }: { text: string }) {
  const { data: shop } = useShopSettings()
  const filled = text
    .replaceAll('@{name}', shop?.name ?? '')
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name) => (/count|number|amount|minutes|days|hours/i.test(name) ? '5' : '…'))
  // A text is split into what stands before a link, the name of the link, and its words, over and over.
  return filled.split(/<(\w+)>(.*?)<\/\1>/).map((part, at) => {
    if (at % 3 === 1) return null
    return at % 3 === 2 ? <u key={at}>{part}</u> : <Fragment key={at}>{part}</Fragment>
  })
}
