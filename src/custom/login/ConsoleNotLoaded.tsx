import { DoctorLink } from './DoctorLink.tsx'
import { texts as allTexts } from './loginTexts.ts'
import { initialLocale } from './publicSetting.ts'
import './login.css'

/** Stands in for a console that could not be fetched. */
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
