import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type acknowledge from '../i18n/en-US/acknowledge.json'
import type alertRule from '../i18n/en-US/alert-rule.json'
import type blocked from '../i18n/en-US/blocked.json'
import type checks from '../i18n/en-US/checks.json'
import type feed from '../i18n/en-US/feed.json'
import type messages from '../i18n/en-US/messages.json'
import type names from '../i18n/en-US/names.json'
import type shell from '../i18n/en-US/shell.json'
import type status from '../i18n/en-US/status.json'
import { type Locale, locales } from '../i18n/locales.ts'

/** What the server says in the language of people, by file. */
interface ServerTexts {
  acknowledge: typeof acknowledge
  'alert-rule': typeof alertRule
  blocked: typeof blocked
  checks: typeof checks
  feed: typeof feed
  messages: typeof messages
  names: typeof names
  shell: typeof shell
  status: typeof status
}

/** Beside the server's folder, and beside that of the packed server. */
const folder = join(import.meta.dirname, '..', 'i18n')

/** The texts of one file in every language. */
export const readTexts = <File extends keyof ServerTexts>(file: File): Record<Locale, ServerTexts[File]> =>
  Object.fromEntries(
    locales.map(({ locale }) => [locale, JSON.parse(readFileSync(join(folder, locale, `${file}.json`), 'utf8'))]),
  ) as Record<Locale, ServerTexts[File]>
