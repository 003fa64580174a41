import { useEffect, useRef, useState } from 'react'
import { chooseLocale, type Locale } from '../../../i18n/locales.ts'
import { Choices } from '../login/LanguageAndTheme.tsx'
import { texts as loginTexts } from '../login/loginTexts.ts'
import { startLocale } from '../login/publicSetting.ts'
import { Mark } from '../theme/Logo.tsx'
import { followSystem } from '../theme/themeMode.ts'
import { FindingItem } from './CheckResultItem.tsx'
import { checkNames, type Finding } from './checks/checkResult.ts'
import { examine } from './checks/runChecks.ts'
import { ReportButton } from './ReportButton.tsx'
import { loadTexts } from './texts/index.ts'
import type { DoctorTexts } from './texts/types.ts'
import '../login/login.css'
import './doctor.css'

/**
 * Says what stands between this browser and the server, and what helps. It stands alone as the sign-in form does, and
 * runs no code of the site: that may be what is broken.
 * @param first the texts of the language that the page starts in
 */
export function Doctor({ first }: { first: DoctorTexts }) {
  const [locale, setLocale] = useState(startLocale)
  const [texts, setTexts] = useState(first)
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const [isBusy, setBusy] = useState(true)
  const hasBegun = useRef(false)

  const check = async () => {
    setBusy(true)
    setFindings([])
    await examine((finding) => setFindings((known) => [...known, finding]))
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first check begins as the page opens
  useEffect(() => {
    if (!hasBegun.current) void check()
    hasBegun.current = true
    return followSystem()
  }, [])
  useEffect(() => {
    document.documentElement.lang = locale
    document.title = texts.title
  }, [locale, texts])

  const speak = async (choice: Locale) => {
    chooseLocale(choice)
    setLocale(choice)
    setTexts(await loadTexts(choice))
  }
  const known = checkNames.flatMap((name) => findings.find((finding) => finding.check === name) ?? [])
  return (
    <div className="login doctor">
      <main className="login-card">
        <header>
          <Mark size={32} />
          <h1>{texts.title}</h1>
        </header>
        <p>{texts.intro}</p>
        <ul>
          {known.map((finding) => (
            <FindingItem key={finding.check} finding={finding} texts={texts} />
          ))}
        </ul>
        <p role="status">{isBusy ? texts.checking : ''}</p>
        <footer>
          <button type="button" className="login-submit" aria-disabled={isBusy} onClick={() => isBusy || void check()}>
            {texts.again}
          </button>
          {isBusy ? null : <ReportButton findings={known} texts={texts} />}
          <a href="/dashboard">{texts.back}</a>
        </footer>
      </main>
      <Choices texts={loginTexts[locale]} locale={locale} onLocale={(choice) => void speak(choice)} />
    </div>
  )
}
