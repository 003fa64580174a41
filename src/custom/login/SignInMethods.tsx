import { useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInFailure } from './failureText.ts'
import { LoginForm } from './LoginForm.tsx'
import type { LoginTexts } from './loginTexts.ts'
import { ProviderButtons } from './ProviderButtons.tsx'
import type { FirstHalf } from './signIn.ts'

interface SignInMethodsProps {
  texts: LoginTexts
  locale: Locale
  providers: readonly string[]
  /** See `LoginForm`. */
  offersPasskeys: boolean
  firstHalf?: FirstHalf
  onSignedIn: () => Promise<SignInFailure | undefined>
  /** Called with the reason if a provider's sign-in cannot start. */
  onFailure: (failure?: SignInFailure) => void
}

const storageKey = 'wheelhouse.password-form'

/**
 * The methods to sign in. If there are providers, the password form is behind a button unless it was used in this browser
 * before; without providers it is always open.
 */
export function SignInMethods(props: SignInMethodsProps) {
  const { texts, locale, providers, offersPasskeys, firstHalf, onSignedIn, onFailure } = props
  const [isOpened, setOpened] = useState(wasOpened)
  // The settings may arrive while somebody is typing: a form in use is not hidden.
  const [isTouched, setTouched] = useState(false)
  const [isClicked, setClicked] = useState(false)
  const hasProviders = providers.length > 0
  const isFormHidden = hasProviders && !isOpened && !isTouched && !firstHalf
  const providersPart = hasProviders && <ProviderButtons texts={texts} names={providers} onFailure={onFailure} />
  const or = hasProviders && <p className="login-or">{texts.or}</p>

  if (isFormHidden) {
    const open = () => {
      rememberOpened()
      setClicked(true)
      setOpened(true)
    }
    return (
      <>
        {providersPart}
        {or}
        <button type="button" className="login-provider" aria-expanded={false} onClick={open}>
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
          offersPasskeys={offersPasskeys}
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

function wasOpened(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

function rememberOpened(): void {
  try {
    localStorage.setItem(storageKey, 'open')
  } catch {
    // Without localStorage it takes one more click next time.
  }
}
