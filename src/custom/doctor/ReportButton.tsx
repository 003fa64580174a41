import { useState } from 'react'
import type { CheckResult } from './checks/checkResult.ts'
import type { DoctorTexts } from './doctorTexts.ts'
import { reportText } from './reportText.ts'

interface ReportButtonProps {
  results: readonly CheckResult[]
  texts: DoctorTexts
}

/** Copies the report. Without access to the clipboard, as without HTTPS, it shows the text for copying by hand. */
export function ReportButton({ results, texts }: ReportButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'by hand'>()
  const report = reportText(results, texts, {
    consoleVersion: __APP_VERSION__,
    browser: navigator.userAgent,
    protocol: window.location.protocol,
    at: new Date(),
  })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(report)
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
