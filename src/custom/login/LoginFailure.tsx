import type { Locale } from '../../../i18n/locales.ts'
import { DoctorLink } from './DoctorLink.tsx'
import { failureText, type SignInFailure } from './failureText.ts'
import type { LoginTexts } from './loginTexts.ts'

interface LoginFailureProps {
  failure: SignInFailure
  texts: LoginTexts
  locale: Locale
  hasProviders?: boolean
}

/** What was in the way, announced as it appears. */
export const LoginFailure = ({ failure, ...words }: LoginFailureProps) => (
  <div className="login-failure">
    <span role="alert">{failureText(failure, words)}</span>{' '}
    {isOfTheWay(failure) ? <DoctorLink texts={words.texts} /> : null}
  </div>
)

/** Whether it may be the connection's fault, and not the person's or a provider's. */
const isOfTheWay = ({ kind }: SignInFailure) => kind !== 'wrong' && kind !== 'visit'
