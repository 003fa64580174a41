import { useEffect, useState } from 'react'
import { chooseLocale, chosenLocale } from '../../../i18n/locales.ts'
import { leaveForProvider } from '../../session/navigation.ts'
import type { Person } from '../../session/signedInUser.ts'
import { reasonOf } from '../../session/signInAddress.ts'
import { clearCookies, hasSession } from '../../session/token.ts'
import { noteReceipt } from '../../session/tokenReceived.ts'
import { Mark } from '../theme/Logo.tsx'
import { followSystem } from '../theme/themeMode.ts'
import type { Failure } from './failureText.ts'
import { Choices } from './LanguageAndTheme.tsx'
import { FailureNote } from './LoginFailure.tsx'
import { texts as allTexts } from './loginTexts.ts'
import { readArrival, visitProvider } from './oauth2.ts'
import { knownProviders, readSite, rememberLanguage, startLocale } from './publicSetting.ts'
import { WaysIn } from './SignInMethods.tsx'
import { readStanding } from './sessionStatus.ts'
import './login.css'

/**
 * The sign-in page. It stands alone, without react-admin, MUI and zod, so that it is there at once.
 * @param onSignedIn puts the console, at the asked address, in the place of this page; the person is given when the
 * browser came with a session that still counts
 */
export function Login({ onSignedIn }: { onSignedIn: (person?: Person) => Promise<void> }) {
  const [locale, setLocale] = useState(startLocale)
  const [siteName, setSiteName] = useState<string>()
  const [providers, setProviders] = useState(knownProviders)
  const [arrival] = useState(readArrival)
  const [isBusy, setBusy] = useState(arrival.isBack || arrival.provider !== undefined)
  const [failure, setFailure] = useState<Failure | undefined>(
    arrival.failure && { kind: 'visit', code: arrival.failure },
  )
  const texts = allTexts[locale]
  const reason = reasonOf(window.location.search)
  const title = siteName ?? texts.site

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, as the page opens
  useEffect(() => {
    const begin = async () => {
      if (arrival.isBack) noteReceipt()
      if (hasSession()) {
        const standing = await readStanding()
        if (standing.kind === 'signedIn') return onSignedIn(standing.person)
        // The session may be fine, or not: it is kept, and shown to no public route.
        if (standing.kind !== 'unauthorized') return arrival.isBack && setFailure(standing)
        clearCookies()
      }
      if (arrival.isBack) setFailure({ kind: 'noCookie' })
      const site = await readSite()
      setSiteName(site.name)
      setProviders(site.providers)
      if (arrival.provider && site.providers.includes(arrival.provider)) {
        const problem = await visitProvider(arrival.provider, leaveForProvider)
        if (!problem) return new Promise<void>(() => {})
        setFailure(problem)
      }
      if (!site.language) return
      rememberLanguage(site.language)
      setLocale(chosenLocale(site.language))
    }
    void begin().finally(() => setBusy(false))
    return followSystem()
  }, [])

  useEffect(() => {
    document.documentElement.lang = locale
    document.title = `${texts.title} · ${title}`
  }, [locale, texts, title])

  return (
    <div className="login">
      <main className="login-card">
        <header>
          <Mark size={32} />
          <h1>{title}</h1>
        </header>
        {reason && !isBusy && (
          <p className="login-reason" role="status">
            {reason === 'ended' ? texts.endedWhy : texts[reason]}
          </p>
        )}
        {failure && <FailureNote failure={failure} texts={texts} locale={locale} />}
        {isBusy ? (
          <p className="login-busy" role="status">
            {texts.busy}
          </p>
        ) : (
          <WaysIn
            texts={texts}
            locale={locale}
            providers={providers}
            onSignedIn={() => onSignedIn()}
            onFailure={setFailure}
          />
        )}
      </main>
      <Choices
        texts={texts}
        locale={locale}
        onLocale={(choice) => {
          chooseLocale(choice)
          setLocale(choice)
        }}
      />
    </div>
  )
}
