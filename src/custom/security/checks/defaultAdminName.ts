import { roles } from '../../../schemas/define/access.ts'
import { type Check, findingAbout, nameOf } from './check.ts'

/** Attackers who guess passwords begin with the user name of new installations. */
export const defaultAdminName: Check = {
  name: 'default_admin_name',
  severity: 'info',
  link: { to: 'profile', labelKey: 'app.shell.profile' },
  find({ users }) {
    const admins = users.filter(({ username = '', role }) => role === roles.admin && username.toLowerCase() === 'admin')
    return findingAbout(admins.map(({ id, username }) => ({ label: nameOf({ id, name: username }) })))
  },
}
