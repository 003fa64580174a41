import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { Field } from '../../components/proof/Field.tsx'
import { failureText, postInWords, type SignInFailure } from './failureText.ts'
import { LoginFailure } from './LoginFailure.tsx'
import { type FirstHalf, keepSession, signIn } from './signIn.ts'

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
