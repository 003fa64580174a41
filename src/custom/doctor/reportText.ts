import { type CheckResult, checkNames } from './checks/checkResult.ts'
import { type DoctorTexts, fillText } from './texts/types.ts'

/** What stands at the top: facts about this browser and the console, none of them a secret or a name. */
export interface ReportContext {
  consoleVersion: string
  browser: string
  protocol: string
  /** By this browser. */
  at: Date
}

/** Everything as plain text for a message to somebody who helps: without addresses, names, cookies and tokens. */
export function reportText(results: readonly CheckResult[], texts: DoctorTexts, context: ReportContext): string {
  const { consoleVersion, browser, protocol, at } = context
  const known = checkNames.flatMap((name) => results.find(({ check }) => check === name) ?? [])
  return [
    `Wheelhouse ${consoleVersion}, ${protocol.replace(':', '')}, ${at.toISOString()}`,
    browser,
    '',
    ...known.flatMap((result) => {
      const { check, health, outcome, hidden = [] } = result
      const sentence = fillText(texts.outcomes[outcome], result.isPrivate ? {} : result.values).replace(
        /\{\{\w+\}\}/g,
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
