import type { CheckName, CheckOutcome, Health, HiddenFeature } from '../checks/checkResult.ts'

/** What the page says. It comes with the page, in one language, and weighs on no other. */
export interface DoctorTexts {
  title: string
  intro: string
  checks: Record<CheckName, string>
  health: Record<Health, string>
  /** `{{name}}` is filled in. */
  outcomes: Record<CheckOutcome, string>
  hidden_title: string
  hidden: Record<HiddenFeature, string>
  checking: string
  again: string
  copy: string
  copied: string
  /** Where the clipboard is closed to the page. */
  copy_by_hand: string
  /** Said before the lines for nginx and Caddy. */
  proxyConfig: string
  back: string
}

/** Fills the gaps of a sentence. */
export const fillText = (sentence: string, values: Readonly<Record<string, string | number>> = {}): string =>
  sentence.replace(/\{\{(\w+)\}\}/g, (gap, name) => String(values[name] ?? gap))
