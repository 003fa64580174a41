import { type FormEvent, useRef, useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import { Field } from './Field.tsx'
import { LoginFailure } from './LoginFailure.tsx'
import type { LoginTexts } from './loginTexts.ts'
import { type SignInResult, signIn } from './signIn.ts'

/** The minimum length of user names. */
const minUsernameLength = 2

interface LoginFormProps {
  texts: LoginTexts
  locale: Locale
  /** Whether people can also sign in at providers. */
  hasProviders?: boolean
  /** Whether the form was just opened by a click: then it gets the focus. */
  focusOnMount?: boolean
  /** Called after the sign-in; resolves when the console has replaced the form. */
  onSignedIn: () => Promise<void>
  /** Signs in; default: by the server's login endpoint. */
  authenticate?: typeof signIn
  /** The user who has to sign in again: only the password has to be typed. */
  expectedUser?: string
}

type LoginFormFailure = Exclude<SignInResult, { kind: 'ok' }>

/** Username, password and one button. Errors are stored as flags, so that a change of the language translates them. */
export function LoginForm({
  texts,
  locale,
  hasProviders,
  focusOnMount,
  onSignedIn,
  authenticate = signIn,
  expectedUser,
}: LoginFormProps) {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [invalid, setInvalid] = useState({ username: false, password: false })
  const [failure, setFailure] = useState<LoginFormFailure>()
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
    const outcome = await authenticate(name, secret)
    if (outcome.kind === 'ok') {
      await onSignedIn()
    } else {
      setFailure(outcome)
      if (outcome.kind === 'wrong') password.current?.select()
    }
    setBusy(false)
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
        error={invalid.username ? texts.shortName.replace('{{number}}', String(minUsernameLength)) : undefined}
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
    </form>
  )
}

/** An eye, authenticate while the password is visible, else crossed out. */
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
