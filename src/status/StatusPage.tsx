/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { fillText } from '../../i18n/fillText.ts'
import { isolate } from '../../i18n/isolate.ts'
import { chooseLocale, type Locale, locales } from '../../i18n/locales.ts'
import { formatBytes } from '../components/format/format.ts'
import { saveThemeMode, storedThemeMode, type ThemeMode, themeModes } from '../components/theme/themeMode.ts'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'
import { isTrouble, summarize } from '../schemas/status/summary.ts'
import { iconAddress } from './icon.ts'
import { type Language, LanguageContext, loadTexts, useLanguage } from './language.ts'
import { countryName, ServerCard } from './ServerCard.tsx'
import { ServerCharts } from './ServerCharts.tsx'
import { ServerSection } from './ServerSection.tsx'
import { IncidentSection, ServiceSection } from './ServiceSection.tsx'
import type { StatusFeed } from './statusFeed.ts'
import { sentenceOf, shortTime } from './statusTexts.ts'

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
    document.title = isTrouble(summary) ? `${sentence} – ${isolate(name)}` : name
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

/** Names of one window that are shown. */
const maxNames = 10

/** The maintenance windows that are open, and what they are about. */
function Maintenance({ status }: { status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  if (status.windows.length === 0) return null
  return (
    <section class="panel maintenance" aria-labelledby="maintenance">
      <h2 id="maintenance">{texts.maintenance}</h2>
      <ul>
        {status.windows.map(({ name, until, servers, services }) => {
          const names = [...namesOf(status.services, services), ...namesOf(status.servers, servers)]
          const more = names.length - maxNames
          return (
            <li key={name}>
              <strong>{name}</strong>{' '}
              {fillText(texts.maintenanceUntil, { time: shortTime(Date.parse(until), status.now, locale) })}
              <div class="quiet">
                {names.slice(0, maxNames).map(isolate).join(', ')}{' '}
                {more > 0 && fillText(texts.andMore, { count: more })}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const namesOf = (records: readonly { id: number; name: string }[], ids: readonly number[]): string[] =>
  records.filter(({ id }) => ids.includes(id)).map(({ name }) => name)

interface HeaderProps {
  /** Of the site. */
  name: string
  onLanguage: (locale: Locale) => void
}

/** The name of the site, the visitor's language and theme, and the way to the console. */
function Header({ name, onLanguage }: HeaderProps) {
  const { texts, locale } = useLanguage()
  const [theme, setTheme] = useState(storedThemeMode)
  const themeTexts: Record<ThemeMode, string> = { light: texts.light, dark: texts.dark, system: texts.likeSystem }
  function changeTheme(mode: ThemeMode): void {
    saveThemeMode(mode)
    setTheme(mode)
  }
  return (
    <header class="bar">
      <a class="site" href="/">
        {name}
      </a>
      <select
        aria-label={texts.language}
        value={locale}
        onChange={({ currentTarget }) => onLanguage(currentTarget.value as Locale)}
      >
        {locales.map((each) => (
          <option key={each.locale} value={each.locale} lang={each.locale}>
            {each.name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.theme}
        value={theme}
        onChange={({ currentTarget }) => changeTheme(currentTarget.value as ThemeMode)}
      >
        {themeModes.map((mode) => (
          <option key={mode} value={mode}>
            {themeTexts[mode]}
          </option>
        ))}
      </select>
      <a class="sign-in" href="/dashboard">
        {texts.signIn}
      </a>
    </header>
  )
}

/** What visitors see of one server. */
function ServerPage({ id, status }: { id: number; status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  const server = status.servers.find((each) => each.id === id)
  const back = (
    <p>
      <a href="/">← {texts.allServers}</a>
    </p>
  )
  if (!server) {
    return (
      <>
        <h1>{texts.notFound}</h1>
        {back}
      </>
    )
  }
  const { platform, arch, virtualization, cpu, mem_total, disk_total, country_code = '' } = server
  const facts = [
    [texts.country, countryName(country_code, locale)],
    [texts.system, [platform, arch, virtualization].filter(Boolean).join(', ')],
    [texts.processor, cpu?.join(', ')],
    [texts.memory, mem_total && formatBytes(mem_total, locale)],
    [texts.disk, disk_total && formatBytes(disk_total, locale)],
  ] as const
  return (
    <>
      {back}
      <h1>{server.name}</h1>
      <ul class="cards one">
        <ServerCard server={server} status={status} />
        <li class="panel card">
          <dl class="facts wide">
            {facts.map(
              ([name, value]) =>
                value && (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </dl>
        </li>
      </ul>
      <ServerCharts id={id} />
    </>
  )
}
