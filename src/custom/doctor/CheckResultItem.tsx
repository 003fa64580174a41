import type { Finding } from './checks/checkResult.ts'
import { remedies } from './proxyConfigs.ts'
import { type DoctorTexts, say } from './texts/types.ts'

interface FindingItemProps {
  finding: Finding
  texts: DoctorTexts
}

const signs = { good: '✓', warning: '!', bad: '✕', skipped: '–' } as const

/** What came out of one check, and the lines that help where a proxy is at fault. */
export function FindingItem({ finding, texts }: FindingItemProps) {
  const { check, health, verdict, values, remedy, hidden = [] } = finding
  return (
    <li className={`doctor-${health}`}>
      <span className="doctor-sign" role="img" aria-label={texts.health[health]}>
        {signs[health]}
      </span>
      <div>
        <h2>{texts.checks[check]}</h2>
        <p>{say(texts.verdicts[verdict], values)}</p>
        {hidden.length > 0 ? (
          <p>
            {texts.hidden_title} {hidden.map((one) => texts.hidden[one]).join(', ')}
          </p>
        ) : null}
        {remedy ? (
          <details>
            <summary>{texts.remedy}</summary>
            <h3>nginx</h3>
            <pre>{remedies[remedy].nginx}</pre>
            <h3>Caddy</h3>
            <pre>{remedies[remedy].caddy}</pre>
          </details>
        ) : null}
      </div>
    </li>
  )
}
