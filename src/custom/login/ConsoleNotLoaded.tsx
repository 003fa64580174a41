import { initialLocale } from '../../site/publicSetting.ts'
import { DoctorLink } from './DoctorLink.tsx'
import { texts as allTexts } from './loginTexts.ts'
import './login.css'

/** Shown when the console's files could not be loaded. */
export function ConsoleNotLoaded() {
  const texts = allTexts[initialLocale()]
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
