import './login.css'
import { useState } from 'react'
import type { Locale } from '../../../i18n/locales.ts'
import { type SignInTexts, signInTexts } from '../../../i18n/signInTexts.ts'
import { accountDisabled } from '../../schemas/define/wireNames.ts'
import { doctorPath } from '../../session/signInAddress.ts'
import { initialLocale } from '../../site/publicSetting.ts'
import { failureText, type SessionStatus, type SignInFailure } from './signIn.ts'

interface LoginFailureProps {
  failure: SignInFailure
  texts: SignInTexts['login']
  locale: Locale
  hasProviders?: boolean
}

/** The reason why a sign-in failed, announced by screen readers. */
export const LoginFailure = ({ failure, ...textArgs }: LoginFailureProps) => (
  <div className="login-failure">
    <span role="alert">{failureText(failure, textArgs)}</span>{' '}
    {mayBeConnection(failure) ? <DoctorLink texts={textArgs.texts} /> : null}
  </div>
)

/** Whether the connection may be the cause, not the user, their account or a provider. */
const mayBeConnection = (failure: SignInFailure) =>
  failure.kind !== 'wrong' &&
  failure.kind !== 'oauth2' &&
  !(failure.kind === 'serverMessage' && failure.message === accountDisabled)

/** Links to the connection check in a new tab, so that typed text is kept. */
const DoctorLink = ({ texts }: { texts: SignInTexts['login'] }) => (
  <a className="login-doctor" href={doctorPath} target="_blank" rel="noopener">
    {texts.check}
  </a>
)

interface ServerNotReachedProps {
  /** Why the session could not be checked. */
  why: Exclude<SessionStatus, { kind: 'signedIn' | 'unauthorized' }>
  onRetry: () => Promise<void>
}

/** Shown when the session could not be checked at the start. It may still be valid, so it is kept. */
export function ServerNotReached({ why, onRetry }: ServerNotReachedProps) {
  const locale = initialLocale()
  const texts = signInTexts(locale).login
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    if (isBusy) return
    setBusy(true)
    await onRetry()
    setBusy(false)
  }
  return (
    <div className="login">
      <main className="login-card">
        <p role="alert">{failureText(why, { texts, locale })}</p>
        <DoctorLink texts={texts} />
        <button type="button" className="login-submit" aria-disabled={isBusy} onClick={retry}>
          {texts.retry}
        </button>
      </main>
    </div>
  )
}

/** Shown when the console's files could not be loaded. */
export function ConsoleNotLoaded() {
  const texts = signInTexts(initialLocale()).login
  return (
    <div className="login">
      <main className="login-card">
        <p role="alert">{texts.notLoaded}</p>
        <DoctorLink texts={texts} />
        <button type="button" className="login-submit" onClick={() => window.location.reload()}>
          {texts.reload}
        </button>
      </main>
    </div>
  )
}
