import { fillText } from '../../../i18n/fillText.ts'
import { type CheckResult, checkNames } from './checks/checkResult.ts'
import type { DoctorTexts } from './doctorTexts.ts'

/** The header of the report: facts about browser and console, without secrets and names. */
export interface ReportContext {
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
