import type { CheckName, CheckOutcome, Health, HiddenFeature } from '../checks/checkResult.ts'

/** The texts of the page. They are loaded with the page, in one language only. */
export interface DoctorTexts {
  title: string
  intro: string
  checks: Record<CheckName, string>
  health: Record<Health, string>
  /** `{{name}}` is replaced by values. */
  outcomes: Record<CheckOutcome, string>
  hidden_title: string
  hidden: Record<HiddenFeature, string>
  checking: string
  again: string
  copy: string
  copied: string
  /** Shown if the page has no access to the clipboard. */
  copy_by_hand: string
  /** Heading of the lines for nginx and Caddy. */
  proxyConfig: string
  back: string
}

/** Replaces `{{name}}` in a sentence by values. */
export const fillText = (sentence: string, values: Readonly<Record<string, string | number>> = {}): string =>
  sentence.replace(/\{\{(\w+)\}\}/g, (gap, name) => String(values[name] ?? gap))
