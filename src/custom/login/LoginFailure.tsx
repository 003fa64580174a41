import type { Locale } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { accountDisabled } from '../../schemas/define/wireNames.ts'
import { DoctorLink } from './DoctorLink.tsx'
import { failureText, type SignInFailure } from './failureText.ts'

interface LoginFailureProps {
  failure: SignInFailure
  texts: SignInTexts['login']
  locale: Locale
  hasProviders?: boolean
}

/** The reason why a sign-in failed, announced by screen readers. */
export const LoginFailure = ({ failure, ...textArgs }: LoginFailureProps) => (
  <div className="login-failure">
    <span role="alert">{failureText(failure, textArgs)}</span>{' '}
    {mayBeConnection(failure) ? <DoctorLink texts={textArgs.texts} /> : null}
  </div>
)

/** Whether the connection may be the cause, not the user, their account or a provider. */
const mayBeConnection = (failure: SignInFailure) =>
  failure.kind !== 'wrong' &&
  failure.kind !== 'oauth2' &&
  !(failure.kind === 'serverMessage' && failure.message === accountDisabled)
