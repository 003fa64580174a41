import '../login/login.css'
import './doctor.css'
import { useEffect, useRef, useState } from 'react'
import type { Root } from 'react-dom/client'
import { byLocale } from '../../../i18n/byLocale.ts'
import type doctor from '../../../i18n/en-US/doctor.json'
import { fillText } from '../../../i18n/fillText.ts'
import { chooseLocale, type Locale } from '../../../i18n/locales.ts'
import { loadSignInTexts, signInTexts } from '../../../i18n/signInTexts.ts'
import { copyText } from '../../components/copyText.ts'
import { Logo } from '../../components/theme/Logo.tsx'
import { followSystemTheme } from '../../components/theme/themeMode.ts'
import { initialLocale } from '../../site/publicSetting.ts'
import { LanguageAndTheme } from '../login/LanguageAndTheme.tsx'
import { type CheckResult, checkNames, type ProxyConfigName } from './checks/checkResult.ts'
import { runChecks } from './checks/runChecks.ts'

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

interface CheckResultItemProps {
  result: CheckResult
  texts: DoctorTexts
}

const signs = { good: '✓', warning: '!', bad: '✕', skipped: '–' } as const

/** The result of one check, with configuration lines if the proxy may be the cause. */
function CheckResultItem({ result, texts }: CheckResultItemProps) {
  const { check, health, outcome, values, proxyConfig, hidden = [] } = result
  return (
    <li className={`doctor-${health}`}>
      <span className="doctor-sign" role="img" aria-label={texts.health[health]}>
        {signs[health]}
      </span>
      <div>
        <h2>{texts.checks[check]}</h2>
        <p>{fillText(texts.outcomes[outcome], values ?? {})}</p>
        {hidden.length > 0 ? (
          <p>
            {texts.hidden_title} {hidden.map((one) => texts.hidden[one]).join(', ')}
          </p>
        ) : null}
        {proxyConfig ? (
          <details>
            <summary>{texts.proxyConfig}</summary>
            <h3>nginx</h3>
            <pre>{proxyConfigs[proxyConfig].nginx}</pre>
            <h3>Caddy</h3>
            <pre>{proxyConfigs[proxyConfig].caddy}</pre>
          </details>
        ) : null}
      </div>
    </li>
  )
}

interface ReportButtonProps {
  results: readonly CheckResult[]
  texts: DoctorTexts
}

/** Copies the report. Where the browser refuses that, it shows the text for copying by hand. */
function ReportButton({ results, texts }: ReportButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'by hand'>()
  const report = reportText(results, texts, {
    consoleVersion: __APP_VERSION__,
    browser: navigator.userAgent,
    protocol: window.location.protocol,
    at: new Date(),
  })
  const copy = async () => {
    try {
      await copyText(report)
      setOutcome('copied')
    } catch {
      setOutcome('by hand')
    }
  }
  return (
    <>
      <button type="button" className="login-provider" onClick={() => void copy()}>
        {texts.copy}
      </button>
      <p role="status">{outcome === 'copied' ? texts.copied : outcome && texts.copy_by_hand}</p>
      {outcome === 'by hand' ? <textarea readOnly rows={8} value={report} aria-label={texts.copy_by_hand} /> : null}
    </>
  )
}

/** The header of the report: facts about browser and console, without secrets and names. */
interface ReportContext {
  consoleVersion: string
  browser: string
  protocol: string
  /** By the browser's clock. */
  at: Date
}

/** All results as plain text for a support request, without addresses, names, cookies and tokens. */
export function reportText(results: readonly CheckResult[], texts: DoctorTexts, context: ReportContext): string {
  const { consoleVersion, browser, protocol, at } = context
  const sorted = checkNames.flatMap((name) => results.find(({ check }) => check === name) ?? [])
  return [
    `Wheelhouse ${consoleVersion}, ${protocol.replace(':', '')}, ${at.toISOString()}`,
    browser,
    '',
    ...sorted.flatMap((result) => {
      const { check, health, outcome, hidden = [] } = result
      const sentence = fillText(texts.outcomes[outcome], (!result.isPrivate && result.values) || {}).replace(
        /%\{\w+\}/g,
        '…',
      )
      return [
        `[${health}] ${check}: ${outcome}: ${sentence}`,
        ...(hidden.length > 0
          ? [`    ${texts.hidden_title} ${hidden.map((one) => texts.hidden[one]).join(', ')}`]
          : []),
      ]
    }),
  ].join('\n')
}

/** The texts of the page. They are loaded with the page, in one language only. */
type DoctorTexts = typeof doctor

const files = byLocale(import.meta.glob<DoctorTexts>('../../../i18n/*/doctor.json', { import: 'default' }))

/** Loads the texts of one language. */
export const loadTexts = (locale: Locale): Promise<DoctorTexts> => files[locale]()

interface ProxyConfig {
  nginx: string
  caddy: string
}

/** Configuration lines for the two most common proxies, ready to be copied; 8008 is the servers' default port. */
export const proxyConfigs: Readonly<Record<ProxyConfigName, ProxyConfig>> = {
  proxy: {
    nginx: `location / {
    proxy_pass http://127.0.0.1:8008;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Real-IP $remote_addr;
    client_max_body_size 0;
}`,
    caddy: `monitor.example.org {
    reverse_proxy 127.0.0.1:8008 {
        header_up X-Real-IP {remote_host}
    }
}`,
  },
  sockets: {
    nginx: `location /api/v1/ws/ {
    proxy_pass http://127.0.0.1:8008;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection "upgrade";
    proxy_set_header Origin $http_origin;
    proxy_set_header X-Real-IP $remote_addr;
    proxy_read_timeout 3600s;
    proxy_send_timeout 3600s;
    proxy_buffering off;
}`,
    caddy: `monitor.example.org {
    reverse_proxy 127.0.0.1:8008 {
        header_up X-Real-IP {remote_host}
        flush_interval -1
    }
}`,
  },
  address: {
    nginx: 'proxy_set_header X-Real-IP $remote_addr;',
    caddy: 'header_up X-Real-IP {remote_host}',
  },
  tls: {
    nginx: `server {
    listen 443 ssl;
    server_name monitor.example.org;
    ssl_certificate     /etc/ssl/monitor.example.org/fullchain.pem;
    ssl_certificate_key /etc/ssl/monitor.example.org/privkey.pem;
    location / {
        proxy_pass http://127.0.0.1:8008;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection "upgrade";
        proxy_read_timeout 3600s;
        client_max_body_size 0;
    }
}`,
    caddy: `monitor.example.org {
    reverse_proxy 127.0.0.1:8008 {
        header_up X-Real-IP {remote_host}
    }
}`,
  },
}
