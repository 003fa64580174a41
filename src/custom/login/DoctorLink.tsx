import { doctorPath } from '../../session/signInAddress.ts'
import type { LoginTexts } from './loginTexts.ts'

/** Leads to the connection check, beside this page: what was typed here stays. */
export const DoctorLink = ({ texts }: { texts: LoginTexts }) => (
  <a className="login-doctor" href={doctorPath} target="_blank" rel="noopener">
    {texts.check}
  </a>
)
