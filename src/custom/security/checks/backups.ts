import { type Check, findingAbout } from './check.ts'

/** A server backs up its database by schedule only where a folder for backups is configured. */
export const backups: Check = {
  name: 'backups',
  severity: 'warning',
  link: { to: 'settings/audit', labelKey: 'resources.audit.name' },
  find({ server }) {
    if (!server?.backups) return 'unknown'
    const { scheduled, failure } = server.backups
    if (!scheduled) return { subjects: [], noteKey: 'app.security.no_backups' }
    return findingAbout(failure ? [{ label: failure.message, at: Date.parse(failure.at) }] : [])
  },
}
