import { useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import type { PublicSetting } from '../../site/publicSetting.ts'
import type { SignInFailure } from './failureText.ts'
import { LoginForm } from './LoginForm.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'
import type { FirstHalf } from './signIn.ts'

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
export function SignInMethods(props: SignInMethodsProps) {
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
