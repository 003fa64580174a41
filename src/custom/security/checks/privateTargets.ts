import { type Check, links } from './check.ts'

export const privateTargets: Check = {
  name: 'private_targets',
  severity: 'warning',
  link: links.notifiers,
  find({ server }) {
    if (!server) return 'unknown'
    return server.private_targets ? { subjects: [] } : 'nothing'
  },
}
