import { type Check, findingAbout, links, nameOf } from './check.ts'

/** A password can be guessed and leaked while everybody signs in at a provider that asks for more. */
export const passwordBesideOauth2: Check = {
  name: 'password_beside_oauth2',
  severity: 'warning',
  link: links.users,
  find({ setting, users }) {
    if (!setting.config.oauth2_providers?.length) return 'nothing'
    const withPassword = users.filter(({ reject_password }) => !reject_password)
    return findingAbout(withPassword.map(({ id, username }) => ({ label: nameOf({ id, name: username }) })))
  },
}
