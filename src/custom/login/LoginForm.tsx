import { type FormEvent, useRef, useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import { Field } from './Field.tsx'
import { LoginFailure } from './LoginFailure.tsx'
import type { LoginTexts } from './loginTexts.ts'
import { type SignInResult, signIn } from './signIn.ts'

/** The shortest name an account can have. */
const minUsernameLength = 2

interface LoginFormProps {
  texts: LoginTexts
  locale: Locale
  /** Whether a password is not the only way in. */
  hasProviders?: boolean
  /** Whether the form was just asked for. */
  startsTyping?: boolean
  /** Called once the session is open; takes until the console stands in the form's place. */
  onSignedIn: () => Promise<void>
  /** Opens the session; the server's own way when left out. */
  open?: typeof signIn
  /** Who is expected: only the password is left to type. */
  expected?: string
}

type SignInFailure = Exclude<SignInResult, { kind: 'good' }>

/** Username, password and one button. What a field lacks is kept as a fact, so that it is said in any language. */
export function LoginForm({
  texts,
  locale,
  hasProviders,
  startsTyping,
  onSignedIn,
  open = signIn,
  expected,
}: LoginFormProps) {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [lacks, setLacks] = useState({ username: false, password: false })
  const [failure, setFailure] = useState<SignInFailure>()
  const [isBusy, setBusy] = useState(false)
  const [isShown, setShown] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !username.current || !password.current) return
    const [name, secret] = [username.current.value, password.current.value]
    const found = { username: name.length < minUsernameLength, password: secret === '' }
    setLacks(found)
    setFailure(undefined)
    if (found.username) return username.current.focus()
    if (found.password) return password.current.focus()
    setBusy(true)
    const outcome = await open(name, secret)
    if (outcome.kind === 'good') {
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
        defaultValue={expected}
        autoFocus={startsTyping}
        error={lacks.username ? texts.shortName.replace('{{number}}', String(minUsernameLength)) : undefined}
      />
      <Field
        ref={password}
        name="password"
        label={texts.password}
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoFocus={Boolean(expected)}
        error={lacks.password ? texts.noPassword : undefined}
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
      {/* It stays enabled while busy: a disabled button would drop the focus. */}
      <button type="submit" className="login-submit" aria-disabled={isBusy}>
        {isBusy ? texts.busy : texts.submit}
      </button>
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
