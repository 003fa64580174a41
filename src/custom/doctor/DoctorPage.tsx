import { useEffect, useRef, useState } from 'react'
import type { Root } from 'react-dom/client'
import { chooseLocale, type Locale } from '../../../i18n/locales.ts'
import { loadSignInTexts, signInTexts } from '../../../i18n/signInTexts.ts'
import { Logo } from '../../components/theme/Logo.tsx'
import { followSystemTheme } from '../../components/theme/themeMode.ts'
import { initialLocale } from '../../site/publicSetting.ts'
import { LanguageAndTheme } from '../login/LanguageAndTheme.tsx'
import { CheckResultItem } from './CheckResultItem.tsx'
import { type CheckResult, checkNames } from './checks/checkResult.ts'
import { runChecks } from './checks/runChecks.ts'
import { type DoctorTexts, loadTexts } from './doctorTexts.ts'
import { ReportButton } from './ReportButton.tsx'
import '../login/login.css'
import './doctor.css'

/** Renders the page in the language chosen in this browser. */
export async function openDoctor(root: Root): Promise<void> {
  root.render(<DoctorPage first={await loadTexts(initialLocale())} />)
}

/**
 * Checks the connection between this browser and the server, and says what helps. The page works alone like the sign-in
 * page and runs no custom code, as that may be what is broken.
 * @param first the texts of the page's first language
 */
function DoctorPage({ first }: { first: DoctorTexts }) {
  const [locale, setLocale] = useState(initialLocale)
  const [texts, setTexts] = useState(first)
  const [results, setResults] = useState<readonly CheckResult[]>([])
  const [isBusy, setBusy] = useState(true)
  const hasStarted = useRef(false)

  const checkAll = async () => {
    setBusy(true)
    setResults([])
    await runChecks((result) => setResults((sorted) => [...sorted, result]))
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the checks start when the page opens
  useEffect(() => {
    if (!hasStarted.current) void checkAll()
    hasStarted.current = true
    return followSystemTheme()
  }, [])
  useEffect(() => {
    document.documentElement.lang = locale
    document.title = texts.title
  }, [locale, texts])

  const changeLanguage = async (choice: Locale) => {
    chooseLocale(choice)
    const [loaded] = await Promise.all([loadTexts(choice), loadSignInTexts(choice)])
    setLocale(choice)
    setTexts(loaded)
  }
  const sorted = checkNames.flatMap((name) => results.find((result) => result.check === name) ?? [])
  return (
    <div className="login doctor">
      <main className="login-card">
        <header>
          <Logo size={32} />
          <h1>{texts.title}</h1>
        </header>
        <p>{texts.intro}</p>
        <ul>
          {sorted.map((result) => (
            <CheckResultItem key={result.check} result={result} texts={texts} />
          ))}
        </ul>
        <p role="status">{isBusy ? texts.checking : ''}</p>
        <footer>
          <button
            type="button"
            className="login-submit"
            aria-disabled={isBusy}
            onClick={() => isBusy || void checkAll()}
          >
            {texts.again}
          </button>
          {isBusy ? null : <ReportButton results={sorted} texts={texts} />}
          <a href="/dashboard">{texts.back}</a>
        </footer>
      </main>
      <LanguageAndTheme
        texts={signInTexts(locale).login}
        locale={locale}
        onLocale={(choice) => void changeLanguage(choice)}
      />
    </div>
  )
}
