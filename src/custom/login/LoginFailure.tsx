import type { Locale } from '../../../i18n/locales.ts'
import { DoctorLink } from './DoctorLink.tsx'
import { type Failure, failureWords } from './failureText.ts'
import type { LoginTexts } from './loginTexts.ts'

interface FailureNoteProps {
  failure: Failure
  texts: LoginTexts
  locale: Locale
  hasProviders?: boolean
}

/** What was in the way, announced as it appears. */
export const FailureNote = ({ failure, ...words }: FailureNoteProps) => (
  <div className="login-failure">
    <span role="alert">{failureWords(failure, words)}</span>{' '}
    {isOfTheWay(failure) ? <DoctorLink texts={words.texts} /> : null}
  </div>
)

/** Whether it may be the connection's fault, and not the person's or a provider's. */
const isOfTheWay = ({ kind }: Failure) => kind !== 'wrong' && kind !== 'visit'
