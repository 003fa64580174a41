import { useState } from 'react'
import { signInTexts } from '../../../i18n/signInTexts.ts'
import { initialLocale } from '../../site/publicSetting.ts'
import { DoctorLink } from './DoctorLink.tsx'
import { failureText } from './failureText.ts'
import type { SessionStatus } from './sessionStatus.ts'
import './login.css'

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
