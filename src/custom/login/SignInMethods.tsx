import { useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInFailure } from './failureText.ts'
import { LoginForm } from './LoginForm.tsx'
import type { LoginTexts } from './loginTexts.ts'
import { ProviderButtons } from './ProviderButtons.tsx'

interface SignInMethodsProps {
  texts: LoginTexts
  locale: Locale
  providers: readonly string[]
  onSignedIn: () => Promise<void>
  /** Told why a visit to a provider cannot begin. */
  onFailure: (failure?: SignInFailure) => void
}

const storageKey = 'wheelhouse.password-form'

/**
 * The ways to sign in. Where there are providers the password form waits behind a button, unless it was used here
 * before; where there are none it always stands open.
 */
export function SignInMethods({ texts, locale, providers, onSignedIn, onFailure }: SignInMethodsProps) {
  const [isOpened, setOpened] = useState(wasOpened)
  // Nothing folds away beneath somebody's hands: the settings come when somebody may be typing already.
  const [isTouched, setTouched] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const hasProviders = providers.length > 0
  const isFolded = hasProviders && !isOpened && !isTouched
  const providersPart = hasProviders && <ProviderButtons texts={texts} names={providers} onFailure={onFailure} />
  const or = hasProviders && <p className="login-or">{texts.or}</p>

  if (isFolded) {
    const open = () => {
      rememberOpened()
      setAsked(true)
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes that a field inside is in use */}
      <div onInput={() => setTouched(true)} onPointerDown={() => setTouched(true)} onKeyDown={() => setTouched(true)}>
        <LoginForm
          texts={texts}
          locale={locale}
          hasProviders={hasProviders}
          startsTyping={isAsked}
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
    // It is one click more the next time.
  }
}
