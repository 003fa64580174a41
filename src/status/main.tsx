/** @jsxImportSource preact */
import { render } from 'preact'
import { chosenLocale, type Locale } from '../../i18n/locales.ts'
import { runCustomCode } from '../site/customCode.ts'
import { loadTexts } from './language.ts'
import { StatusPage } from './StatusPage.tsx'
import { createStatusFeed } from './statusFeed.ts'
import './status.css'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'

/** Replaces the static HTML from the server by the live page. */
async function start(): Promise<void> {
  const { status, locale: siteLocale, customCode } = readPageData()
  const locale = chosenLocale(siteLocale)
  const texts = await loadTexts(locale)
  const feed = createStatusFeed(status)
  const root = document.getElementById('root') as HTMLElement
  root.replaceChildren()
  document.documentElement.lang = locale
  render(<StatusPage feed={feed} first={{ locale, texts }} />, root)
  feed.start()
  runCustomCode(customCode)
}

void start()

/** What the server has put into the page. */
interface PageData {
  status: PublicStatus
  /** The language of the site. */
  locale: Locale
  /** The operator's own code for visitors. */
  customCode?: string
}

function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? '{}') as PageData
}
