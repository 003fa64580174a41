/** @jsxImportSource preact */

import { useEffect, useState } from 'preact/hooks'
import { fillText } from '../../i18n/fillText.ts'
import { chooseLocale, type Locale } from '../../i18n/locales.ts'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'
import { isTrouble, summarize } from '../schemas/status/summary.ts'
import { Header } from './Header.tsx'
import { iconAddress } from './icon.ts'
import { loadTexts } from './loadTexts.ts'
import { Maintenance } from './Maintenance.tsx'
import { type Language, LanguageContext } from './parts/language.ts'
import { ServerPage } from './ServerPage.tsx'
import { ServerSection } from './servers/ServerSection.tsx'
import { IncidentSection } from './services/IncidentSection.tsx'
import { ServiceSection } from './services/ServiceSection.tsx'
import type { StatusFeed } from './statusFeed.ts'
import { sentenceOf } from './texts/sentence.ts'
import { shortTime } from './texts/shortTime.ts'

interface StatusPageProps {
  feed: StatusFeed
  /** The language at the start. */
  first: Language
}

/** The whole page: of everything, or of one server at `/server/3`. */
export function StatusPage({ feed, first }: StatusPageProps) {
  const [language, setLanguage] = useState(first)
  const { status, isStale } = useFeed(feed)
  const { texts, locale } = language
  const summary = summarize(status)
  const sentence = sentenceOf(summary, texts, locale, (at) => shortTime(at, status.now, locale))
  const name = status.site.name || texts.site
  useEffect(() => {
    document.title = isTrouble(summary) ? `${sentence} – ${name}` : name
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon) icon.href = iconAddress(isTrouble(summary))
  })

  async function changeLanguage(next: Locale): Promise<void> {
    setLanguage({ locale: next, texts: await loadTexts(next) })
    chooseLocale(next)
  }

  const server = serverInAddress()
  return (
    <LanguageContext.Provider value={language}>
      <Header name={name} onLanguage={(next) => void changeLanguage(next)} />
      <main>
        {isStale && (
          <p role="status" class="panel stale">
            {fillText(texts.stale, { time: shortTime(status.now, status.now, locale) })}
          </p>
        )}
        {server === undefined ? (
          <>
            <h1 class={`summary ${isTrouble(summary) ? 'danger' : 'good'}`} aria-live="polite">
              {sentence}
            </h1>
            <Maintenance status={status} />
            <ServiceSection status={status} />
            <ServerSection status={status} />
            <IncidentSection status={status} />
          </>
        ) : (
          <ServerPage id={server} status={status} />
        )}
      </main>
    </LanguageContext.Provider>
  )
}

/** The id in `/server/3`. */
function serverInAddress(): number | undefined {
  const [, id] = /^\/server\/([^/]*)/.exec(window.location.pathname) ?? []
  return id === undefined ? undefined : Number(id)
}

function useFeed(feed: StatusFeed): { status: PublicStatus; isStale: boolean } {
  const [, redraw] = useState(0)
  useEffect(() => feed.subscribe(() => redraw((count) => count + 1)), [feed])
  return { status: feed.current(), isStale: feed.isStale() }
}
