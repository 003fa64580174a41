import { useEffect, useRef, useState } from 'react'
import { chooseLocale, type Locale } from '../../../i18n/locales.ts'
import { LanguageAndTheme } from '../login/LanguageAndTheme.tsx'
import { texts as loginTexts } from '../login/loginTexts.ts'
import { initialLocale } from '../login/publicSetting.ts'
import { Logo } from '../theme/Logo.tsx'
import { followSystemTheme } from '../theme/themeMode.ts'
import { CheckResultItem } from './CheckResultItem.tsx'
import { type CheckResult, checkNames } from './checks/checkResult.ts'
import { runChecks } from './checks/runChecks.ts'
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
export function DoctorPage({ first }: { first: DoctorTexts }) {
  const [locale, setLocale] = useState(initialLocale)
  const [texts, setTexts] = useState(first)
  const [results, setResults] = useState<readonly CheckResult[]>([])
  const [isBusy, setBusy] = useState(true)
  const hasBegun = useRef(false)

  const check = async () => {
    setBusy(true)
    setResults([])
    await runChecks((result) => setResults((known) => [...known, result]))
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first check begins as the page opens
  useEffect(() => {
    if (!hasBegun.current) void check()
    hasBegun.current = true
    return followSystemTheme()
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
  const known = checkNames.flatMap((name) => results.find((result) => result.check === name) ?? [])
  return (
    <div className="login doctor">
      <main className="login-card">
        <header>
          <Logo size={32} />
          <h1>{texts.title}</h1>
        </header>
        <p>{texts.intro}</p>
        <ul>
          {known.map((result) => (
            <CheckResultItem key={result.check} result={result} texts={texts} />
          ))}
        </ul>
        <p role="status">{isBusy ? texts.checking : ''}</p>
        <footer>
          <button type="button" className="login-submit" aria-disabled={isBusy} onClick={() => isBusy || void check()}>
            {texts.again}
          </button>
          {isBusy ? null : <ReportButton results={known} texts={texts} />}
          <a href="/dashboard">{texts.back}</a>
        </footer>
      </main>
      <LanguageAndTheme texts={loginTexts[locale]} locale={locale} onLocale={(choice) => void speak(choice)} />
    </div>
  )
}
