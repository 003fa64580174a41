import { fillText } from '../../../i18n/fillText.ts'
import type { CheckResult } from './checks/checkResult.ts'
import type { DoctorTexts } from './doctorTexts.ts'
import { proxyConfigs } from './proxyConfigs.ts'

interface CheckResultItemProps {
  result: CheckResult
  texts: DoctorTexts
}

const signs = { good: '✓', warning: '!', bad: '✕', skipped: '–' } as const

/** The result of one check, with configuration lines if the proxy may be the cause. */
export function CheckResultItem({ result, texts }: CheckResultItemProps) {
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
