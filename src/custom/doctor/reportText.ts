import { checkNames, type Finding } from './checks/checkResult.ts'
import { type DoctorTexts, say } from './texts/types.ts'

/** What stands at the top: facts about this browser and the console, none of them a secret or a name. */
export interface Surroundings {
  consoleVersion: string
  browser: string
  protocol: string
  /** By this browser. */
  at: Date
}

/** Everything as plain text for a message to somebody who helps: without addresses, names, cookies and tokens. */
export function reportOf(findings: readonly Finding[], texts: DoctorTexts, surroundings: Surroundings): string {
  const { consoleVersion, browser, protocol, at } = surroundings
  const known = checkNames.flatMap((name) => findings.find(({ check }) => check === name) ?? [])
  return [
    `Wheelhouse ${consoleVersion}, ${protocol.replace(':', '')}, ${at.toISOString()}`,
    browser,
    '',
    ...known.flatMap((finding) => {
      const { check, health, verdict, hidden = [] } = finding
      const sentence = say(texts.verdicts[verdict], finding.isPrivate ? {} : finding.values).replace(
        /\{\{\w+\}\}/g,
        '…',
      )
      return [
        `[${health}] ${check}: ${verdict}: ${sentence}`,
        ...(hidden.length > 0
          ? [`    ${texts.hidden_title} ${hidden.map((one) => texts.hidden[one]).join(', ')}`]
          : []),
      ]
    }),
  ].join('\n')
}
