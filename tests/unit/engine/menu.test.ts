import { expect, it } from 'vitest'
import { isActive } from '../../../src/app/layout/header/Navigation.tsx'

const servers = { to: '/dashboard', labelKey: 'servers', activeOn: ['/dashboard', '/dashboard/server'] }
const groups = {
  to: '/dashboard/server-group',
  labelKey: 'groups',
  activeOn: ['/dashboard/server-group', '/dashboard/notification-group'],
}

const current = (path: string) =>
  [servers, groups].filter((entry) => isActive(entry, path)).map(({ labelKey }) => labelKey)

it.each([
  ['/dashboard', ['servers']],
  ['/dashboard/', ['servers']],
  ['/dashboard/server/3', ['servers']],
  ['/dashboard/server-group', ['groups']],
  ['/dashboard/server-group/create', ['groups']],
  ['/dashboard/notification-group', ['groups']],
  ['/dashboard/server-groups', []],
  ['/dashboard/nowhere', []],
])('at %s the navigation marks as current: %s', (path, entries) => {
  expect(current(path)).toEqual(entries)
})
