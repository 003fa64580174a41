import { doctorPath } from '../../session/signInAddress.ts'
import type { LoginTexts } from './loginTexts.ts'

/** Links to the connection check in a new tab, so that typed text is kept. */
export const DoctorLink = ({ texts }: { texts: LoginTexts }) => (
  <a className="login-doctor" href={doctorPath} target="_blank" rel="noopener">
    {texts.check}
  </a>
)
