import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { Field } from '../../components/proof/Field.tsx'
import { goToProvider } from '../../session/navigation.ts'
import { loginPath } from '../../session/signInAddress.ts'
import { LoginFailure } from './LoginFailures.tsx'
import { startOauth2 } from './oauth2.ts'
import { type FirstHalf, failureText, keepSession, postInWords, type SignInFailure, signIn } from './signIn.ts'

/** Fetched with its texts when the first account with a second factor signs in. */
const SecondFactorStep = lazy(() => import('./SecondFactorStep.tsx'))

/** The minimum length of user names. */
const minUsernameLength = 2

interface LoginFormProps {
  texts: SignInTexts['login']
  locale: Locale
  /** Whether people can also sign in at providers. */
  hasProviders?: boolean
  /** Whether the form was just opened by a click: then it gets the focus. */
  focusOnMount?: boolean
  /** Whether a passkey may replace the password. */
  offersPasskeys?: boolean
  /** The first half of a sign-in, which a provider has confirmed; the second factor is missing. */
  firstHalf?: FirstHalf
  /**
   * Called after the sign-in; resolves when the console has replaced the form, or with the reason when the session cannot
   * be used.
   */
  onSignedIn: () => Promise<SignInFailure | undefined>
  /** The user who has to sign in again: only the password has to be typed. */
  expectedUser?: string
}

/** Username, password and one button. Errors are stored as flags, so that a change of the language translates them. */
export function LoginForm({
  texts,
  locale,
  hasProviders,
  focusOnMount,
  offersPasskeys,
  firstHalf,
  onSignedIn,
  expectedUser,
}: LoginFormProps) {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [invalid, setInvalid] = useState({ username: false, password: false })
  const [failure, setFailure] = useState<SignInFailure>()
  const [first, setFirst] = useState(firstHalf)
  const [isBusy, setBusy] = useState(false)
  const [isShown, setShown] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !username.current || !password.current) return
    const [name, secret] = [username.current.value, password.current.value]
    const errors = { username: name.length < minUsernameLength, password: secret === '' }
    setInvalid(errors)
    setFailure(undefined)
    if (errors.username) return username.current.focus()
    if (errors.password) return password.current.focus()
    setBusy(true)
    const outcome = await signIn(name, secret)
    if (outcome.kind === 'ok') setFailure(await onSignedIn())
    else if (outcome.kind === 'secondFactor') setFirst(outcome.first)
    else {
      setFailure(outcome)
      if (outcome.kind === 'wrong') password.current?.select()
    }
    setBusy(false)
  }

  if (first) {
    const args = { texts, locale, hasProviders }
    const finish = async () => {
      const problem = keepSession() ?? (await onSignedIn())
      return problem && failureText(problem, args)
    }
    return (
      <Suspense fallback={<p className="login-busy">{texts.busy}</p>}>
        <SecondFactorStep
          locale={locale}
          first={first}
          post={(path, body) => postInWords(path, body, args)}
          onSignedIn={finish}
          onBack={() => setFirst(undefined)}
        />
      </Suspense>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Field
        ref={username}
        name="username"
        label={texts.username}
        autoComplete="username"
        defaultValue={expectedUser}
        autoFocus={focusOnMount}
        error={invalid.username ? fillText(texts.shortName, { number: minUsernameLength }) : undefined}
      />
      <Field
        ref={password}
        name="password"
        label={texts.password}
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoFocus={Boolean(expectedUser)}
        error={invalid.password ? texts.noPassword : undefined}
        end={
          <button
            type="button"
            className="login-eye"
            aria-label={isShown ? texts.hide : texts.show}
            title={isShown ? texts.hide : texts.show}
            onClick={() => setShown(!isShown)}
          >
            <EyeIcon isOpen={isShown} />
          </button>
        }
      />
      {failure && <LoginFailure failure={failure} texts={texts} locale={locale} hasProviders={hasProviders} />}
      {/* It stays enabled while busy: a disabled button would lose the focus. */}
      <button type="submit" className="login-submit" aria-disabled={isBusy}>
        {isBusy ? texts.busy : texts.submit}
      </button>
      {offersPasskeys ? (
        <button type="button" className="login-provider login-other" onClick={() => setFirst({})}>
          <span>{texts.withPasskey}</span>
        </button>
      ) : null}
    </form>
  )
}

/** An eye, open while the password is visible, else crossed out. */
function EyeIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      aria-hidden="true"
    >
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" strokeLinejoin="round" />
      <circle cx="12" cy="12" r="2.8" />
      {!isOpen && <path d="M4.5 20 19.5 4" strokeLinecap="round" />}
    </svg>
  )
}

interface ProvidersProps {
  texts: SignInTexts['login']
  /** As configured, in upper and lower case. */
  names: readonly string[]
  /** Called with the reason if a sign-in cannot start, without one when it starts. */
  onFailure: (failure?: SignInFailure) => void
}

/** One button per provider, which leaves this page. */
export function ProviderButtons({ texts, names, onFailure }: ProvidersProps) {
  const [busy, setBusy] = useState<string>()
  const start = async (name: string) => {
    if (busy) return
    setBusy(name)
    onFailure()
    const failure = await startOauth2(name, goToProvider)
    // Stay busy until the browser has left: a second click would invalidate the first sign-in.
    if (!failure) return
    onFailure(failure)
    setBusy(undefined)
  }
  return (
    <section aria-label={texts.providers} className="login-providers">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="login-provider"
          aria-disabled={busy !== undefined}
          onClick={() => void start(name)}
        >
          <ProviderIcon name={name} />
          <span>{fillText(texts.withProvider, { name })}</span>
        </button>
      ))}
    </section>
  )
}

/** The same as links for a page that has to stay: a new tab signs in for all tabs. */
export function ProviderLinks({ texts, names }: Omit<ProvidersProps, 'onFailure'>) {
  return (
    <section aria-label={texts.providers} className="login-providers">
      <p>{texts.newTab}</p>
      {names.map((name) => (
        <a
          key={name}
          className="login-provider"
          href={`${loginPath}?provider=${encodeURIComponent(name)}`}
          target="_blank"
          rel="noopener"
        >
          <ProviderIcon name={name} />
          <span>{fillText(texts.withProvider, { name })}</span>
        </a>
      ))}
    </section>
  )
}

/** Included in the code: loading them from providers would tell these who opens this page. */
const icons: Readonly<Record<string, ReactNode>> = {
  github: (
    <path
      fill="currentColor"
      d="M12 1.5a10.6 10.6 0 0 0-3.35 20.66c.53.1.72-.23.72-.51v-1.8c-2.95.64-3.57-1.42-3.57-1.42-.48-1.23-1.18-1.55-1.18-1.55-.96-.66.07-.65.07-.65 1.07.08 1.63 1.1 1.63 1.1.95 1.62 2.49 1.15 3.1.88.09-.69.37-1.15.67-1.42-2.35-.27-4.83-1.18-4.83-5.24 0-1.16.41-2.1 1.09-2.85-.11-.27-.47-1.35.1-2.81 0 0 .9-.29 2.92 1.09a10.1 10.1 0 0 1 5.3 0c2.03-1.38 2.92-1.09 2.92-1.09.58 1.46.21 2.54.1 2.81.68.74 1.09 1.69 1.09 2.85 0 4.07-2.48 4.96-4.84 5.23.38.33.72.97.72 1.96v2.91c0 .28.19.62.73.51A10.6 10.6 0 0 0 12 1.5Z"
    />
  ),
  gitlab: (
    <>
      <path fill="#e24329" d="m12 21.4 4-12.3H8z" />
      <path fill="#fc6d26" d="M12 21.4 8 9.1H2.4zM12 21.4l4-12.3h5.6z" />
      <path fill="#fca326" d="m2.4 9.1-1.2 3.7a.9.9 0 0 0 .3 1L12 21.4zM21.6 9.1l1.2 3.7a.9.9 0 0 1-.3 1L12 21.4z" />
      <path fill="#e24329" d="M2.4 9.1H8L5.6 1.8a.4.4 0 0 0-.8 0zM21.6 9.1H16l2.4-7.3a.4.4 0 0 1 .8 0z" />
    </>
  ),
  google: (
    <g fill="none" strokeWidth="4.2">
      <path stroke="#ea4335" d="M5.1 7.9A8 8 0 0 1 17.8 6.5" />
      <path stroke="#fbbc05" d="M5.1 7.9a8 8 0 0 0 0 8.2" />
      <path stroke="#34a853" d="M5.1 16.1a8 8 0 0 0 12 2.1" />
      <path stroke="#4285f4" d="M12.2 12H20a8 8 0 0 1-2.9 6.2" />
    </g>
  ),
  gitee: (
    <>
      <circle cx="12" cy="12" r="11" fill="#c71d23" />
      <path
        fill="none"
        stroke="#fff"
        strokeWidth="1.9"
        d="M17.8 7.3h-7.2a3.3 3.3 0 0 0-3.3 3.3v6.1h7a3.2 3.2 0 0 0 3.2-3.2v-1.3h-6.3"
      />
    </>
  ),
}

const anyProvider = (
  <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
    <circle cx="8" cy="15.5" r="4.5" />
    <path d="m11.2 12.3 8.3-8.3M16 7.5l3 3" />
  </g>
)

/** The icon of a well-known provider, found by the name that the operator gave it; else a key. */
function ProviderIcon({ name }: { name: string }) {
  const provider = Object.keys(icons).find((keyword) => name.toLowerCase().includes(keyword))
  return (
    <svg
      className="login-sign"
      width="20"
      height="20"
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-sign={provider ?? 'key'}
    >
      {provider ? icons[provider] : anyProvider}
    </svg>
  )
}
