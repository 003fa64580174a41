import type { Locale } from '../../../i18n/locales.ts'
import { type Failure, failureWords } from './failureWords.ts'
import type { LoginTexts } from './texts.ts'

interface FailureNoteProps {
  failure: Failure
  texts: LoginTexts
  locale: Locale
  hasProviders?: boolean
}

/** What was in the way, announced as it appears. */
export const FailureNote = ({ failure, ...words }: FailureNoteProps) => (
  <div className="login-failure" role="alert">
    {failureWords(failure, words)}
  </div>
)
