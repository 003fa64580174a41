import { fillText } from '../../../i18n/fillText.ts'
import type { CheckReason } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import type { Store } from '../../db/store.ts'
import { siteLocale } from '../../site/locale.ts'
import { readSite } from '../../site/site.ts'
import { readTexts } from '../../texts.ts'

/** Says in the language of the site why a check has failed: for notifications, and for clients without texts of their own. */
export type ReasonText = (reason: CheckReason) => string

const texts = readTexts('checks')

export const reasonTextOf =
  (store: Pick<Store, 'value'>): ReasonText =>
  ({ key, values }) => {
    const { reasons } = texts[siteLocale(readSite(store).language)].app.checks
    const text = Object.entries(reasons).find(([name]) => name === key)?.[1]
    return text === undefined ? key : fillText(text, values)
  }
