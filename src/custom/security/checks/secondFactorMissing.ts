import { type Check, findingAbout, links, nameOf } from './check.ts'

export const secondFactorMissing: Check = {
  name: 'second_factor_missing',
  severity: 'warning',
  link: links.users,
  find({ setting, users }) {
    if (!setting.wheelhouse?.second_factor) return 'unknown'
    const without = users.filter(({ second_factor }) => !second_factor)
    return findingAbout(without.map(({ id, username }) => ({ label: nameOf({ id, name: username }) })))
  },
}
