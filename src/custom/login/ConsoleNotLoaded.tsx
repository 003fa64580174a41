import { signInTexts } from '../../../i18n/signInTexts.ts'
import { initialLocale } from '../../site/publicSetting.ts'
import { DoctorLink } from './DoctorLink.tsx'
import './login.css'

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
