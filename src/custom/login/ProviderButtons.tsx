import { useState } from 'react'
import { fillText } from '../../../i18n/fillText.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { goToProvider } from '../../session/navigation.ts'
import { loginPath } from '../../session/signInAddress.ts'
import type { SignInFailure } from './failureText.ts'
import { startOauth2 } from './oauth2.ts'
import { ProviderIcon } from './providerIcons.tsx'

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
