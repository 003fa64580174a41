import './login.css'
import { lazy, Suspense, useEffect, useState } from 'react'
import { chooseLocale, chosenLocale, type Locale } from '../../../i18n/locales.ts'
import { loadSignInTexts, type SignInTexts, signInTexts } from '../../../i18n/signInTexts.ts'
import { Logo } from '../../components/theme/Logo.tsx'
import { followSystemTheme } from '../../components/theme/themeMode.ts'
import type { CurrentUser } from '../../session/currentUser.ts'
import { goToProvider } from '../../session/navigation.ts'
import { signInReason } from '../../session/signInAddress.ts'
import { clearSessionCookies, hasSession } from '../../session/token.ts'
import { recordTokenReceipt } from '../../session/tokenAge.ts'
import {
  initialLocale,
  type PublicSetting,
  readPublicSetting,
  rememberedForm,
  rememberLanguage,
} from '../../site/publicSetting.ts'
import { LanguageAndTheme } from './LanguageAndTheme.tsx'
import { LoginFailure } from './LoginFailures.tsx'
import { LoginForm, ProviderButtons } from './LoginForm.tsx'
import { readOauth2Return, startOauth2 } from './oauth2.ts'
import {
  type FirstHalf,
  failureText,
  keepSession,
  postInWords,
  readSessionStatus,
  type SignInFailure,
} from './signIn.ts'

/** Fetched with its texts when somebody was invited. */
const InvitationForm = lazy(() => import('./InvitationForm.tsx'))

/** The token behind `#` of the address of an invitation. */
const invitationIn = (hash: string) => /^#invitation=([\w-]+)$/.exec(hash)?.[1]

/**
 * The sign-in page. It uses neither react-admin nor MUI nor zod, so that it loads fast.
 * @param onSignedIn replaces this page by the console, at the requested path; `person` is given if the browser already
 * had a valid session
 */
export function Login({ onSignedIn }: { onSignedIn: (person?: CurrentUser) => Promise<void> }) {
  const [locale, setLocale] = useState(initialLocale)
  const [site, setSite] = useState<PublicSetting>(rememberedForm)
  const [oauth2Return] = useState(readOauth2Return)
  const [isBusy, setBusy] = useState(oauth2Return.isBack || oauth2Return.provider !== undefined)
  const [failure, setFailure] = useState<SignInFailure | undefined>(
    oauth2Return.failure && { kind: 'oauth2', code: oauth2Return.failure },
  )
  const texts = signInTexts(locale).login
  const reason = signInReason(window.location.search)
  const [invitation] = useState(() => invitationIn(window.location.hash))
  const title = site.name ?? texts.site

  /** A language that cannot be fetched leaves the page in the one that it has. */
  const speak = (choice: Locale) => loadSignInTexts(choice).then(() => setLocale(choice), console.warn)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens
  useEffect(() => {
    const begin = async () => {
      if (oauth2Return.isBack) recordTokenReceipt()
      if (hasSession()) {
        const status = await readSessionStatus()
        if (status.kind === 'signedIn') return onSignedIn(status.person)
        // The session may be valid or not: it is kept, and not sent to a public route.
        if (status.kind !== 'unauthorized') return oauth2Return.isBack && setFailure(status)
        clearSessionCookies()
      }
      if (oauth2Return.isBack) setFailure({ kind: 'noCookie' })
      const site = await readPublicSetting()
      setSite(site)
      if (oauth2Return.provider && site.providers.includes(oauth2Return.provider)) {
        const problem = await startOauth2(oauth2Return.provider, goToProvider)
        if (!problem) return new Promise<void>(() => {})
        setFailure(problem)
      }
      if (!site.language) return
      rememberLanguage(site.language)
      await speak(chosenLocale(site.language))
    }
    void begin().finally(() => setBusy(false))
    return followSystemTheme()
  }, [])

  useEffect(() => {
    document.documentElement.lang = locale
    document.title = `${texts.title} · ${title}`
  }, [locale, texts, title])

  return (
    <div className="login">
      <main className="login-card">
        <header>
          <Logo size={32} />
          <h1>{title}</h1>
        </header>
        {reason && !isBusy && (
          <p className="login-reason" role="status">
            {reason === 'ended' ? texts.endedWhy : texts[reason]}
          </p>
        )}
        {failure && <LoginFailure failure={failure} texts={texts} locale={locale} />}
        {isBusy ? (
          <p className="login-busy" role="status">
            {texts.busy}
          </p>
        ) : invitation ? (
          <Suspense fallback={<p className="login-busy">{texts.busy}</p>}>
            <InvitationForm
              texts={texts}
              locale={locale}
              site={title}
              token={invitation}
              post={(path, body) => postInWords(path, body, { texts, locale })}
              onSignedIn={async () => {
                const problem = keepSession()
                if (problem) return failureText(problem, { texts, locale })
                await onSignedIn()
              }}
            />
          </Suspense>
        ) : (
          <SignInMethods
            texts={texts}
            locale={locale}
            site={site}
            firstHalf={oauth2Return.needsSecondFactor ? { after: 'provider' } : undefined}
            onSignedIn={async () => void (await onSignedIn())}
            onFailure={setFailure}
          />
        )}
      </main>
      <LanguageAndTheme
        texts={texts}
        locale={locale}
        onLocale={(choice) => {
          chooseLocale(choice)
          void speak(choice)
        }}
      />
    </div>
  )
}

interface SignInMethodsProps {
  texts: SignInTexts['login']
  locale: Locale
  site: PublicSetting
  firstHalf?: FirstHalf
  onSignedIn: () => Promise<SignInFailure | undefined>
  /** Called with the reason if a provider's sign-in cannot start. */
  onFailure: (failure?: SignInFailure) => void
}

/**
 * The methods to sign in: the password form, which the site's settings may put behind a button, and the providers if there
 * are any.
 */
function SignInMethods(props: SignInMethodsProps) {
  const { texts, locale, firstHalf, onSignedIn, onFailure } = props
  const { providers, hidesPassword, passkeys } = props.site
  // The settings may arrive while somebody is typing: a form in use is not hidden.
  const [isTouched, setTouched] = useState(false)
  const [isClicked, setClicked] = useState(false)
  const hasProviders = providers.length > 0
  const isFormHidden = hasProviders && hidesPassword && !isClicked && !isTouched && !firstHalf
  const providersPart = hasProviders && <ProviderButtons texts={texts} names={providers} onFailure={onFailure} />
  const or = hasProviders && <p className="login-or">{texts.or}</p>

  if (isFormHidden) {
    return (
      <>
        {providersPart}
        {or}
        <button type="button" className="login-provider" aria-expanded={false} onClick={() => setClicked(true)}>
          <span>{texts.withPassword}</span>
        </button>
      </>
    )
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only records that a field inside is in use */}
      <div onInput={() => setTouched(true)} onPointerDown={() => setTouched(true)} onKeyDown={() => setTouched(true)}>
        <LoginForm
          texts={texts}
          locale={locale}
          hasProviders={hasProviders}
          offersPasskeys={passkeys}
          firstHalf={firstHalf}
          focusOnMount={isClicked}
          onSignedIn={onSignedIn}
        />
      </div>
      {or}
      {providersPart}
    </>
  )
}
