import { advisoriesFor, advisoriesUrl } from './advisories.ts'
import { type Check, findingAbout } from './check.ts'

/** The advisories are about Nezha servers. */
export const oldVersion: Check = {
  name: 'old_version',
  severity: 'error',
  link: { to: advisoriesUrl, labelKey: 'app.security.advisories' },
  find({ setting }) {
    const found = setting.wheelhouse ? undefined : advisoriesFor(setting.version ?? '')
    return found ? findingAbout(found.map((id) => ({ label: id }))) : 'unknown'
  },
}
