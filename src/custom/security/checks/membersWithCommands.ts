import { roles } from '../../../schemas/define/access.ts'
import { type Check, findingAbout, links, nameOf } from './check.ts'

/** Whoever owns a server may open a terminal on it and run tasks there, usually as root. */
export const membersWithCommands: Check = {
  name: 'members_with_commands',
  severity: 'info',
  link: links.servers,
  find({ users, servers }) {
    const members = users.filter(({ role }) => role === roles.user)
    // Older servers do not say whose a server is.
    if (members.length > 0 && servers.length > 0 && servers.every(({ owner }) => !owner)) return 'unknown'
    const owned = members.map(({ id, username }) => ({
      label: nameOf({ id, name: username }),
      count: servers.filter(({ owner }) => owner?.id === id).length,
    }))
    return findingAbout(owned.filter(({ count }) => count > 0))
  },
}
