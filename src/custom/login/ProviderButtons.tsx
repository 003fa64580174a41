import { useState } from 'react'
import { goToProvider } from '../../session/navigation.ts'
import { loginPath } from '../../session/signInAddress.ts'
import type { SignInFailure } from './failureText.ts'
import type { LoginTexts } from './loginTexts.ts'
import { startOauth2 } from './oauth2.ts'
import { ProviderIcon } from './providerIcons.tsx'

interface ProvidersProps {
  texts: LoginTexts
  /** As they are configured, capitals and all. */
  names: readonly string[]
  /** Told why a visit cannot begin; nothing as one begins. */
  onFailure: (failure?: SignInFailure) => void
}

/** A button for each provider; it leads away from this page. */
export function ProviderButtons({ texts, names, onFailure }: ProvidersProps) {
  const [busy, setBusy] = useState<string>()
  const visit = async (name: string) => {
    if (busy) return
    setBusy(name)
    onFailure()
    const failure = await startOauth2(name, goToProvider)
    // Until the browser is away, a second click would spoil the first one's visit.
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
          onClick={() => void visit(name)}
        >
          <ProviderIcon name={name} />
          <span>{texts.withProvider.replace('{{name}}', () => name)}</span>
        </button>
      ))}
    </section>
  )
}

/** The same for a page that has to stay: each opens in a tab of its own, and signs in all of them. */
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
          <span>{texts.withProvider.replace('{{name}}', () => name)}</span>
        </a>
      ))}
    </section>
  )
}
