import { type Check, links } from './check.ts'

/** The setting `session_binding` is "everywhere": a stolen session works from any network. */
export const unboundSessions: Check = {
  name: 'unbound_sessions',
  severity: 'warning',
  link: links.settings,
  find({ setting }) {
    return setting.config.session_binding === 3 ? { subjects: [] } : 'nothing'
  },
}
