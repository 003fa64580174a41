import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { doctorPath } from '../../session/signInAddress.ts'

/** Links to the connection check in a new tab, so that typed text is kept. */
export const DoctorLink = ({ texts }: { texts: SignInTexts['login'] }) => (
  <a className="login-doctor" href={doctorPath} target="_blank" rel="noopener">
    {texts.check}
  </a>
)
