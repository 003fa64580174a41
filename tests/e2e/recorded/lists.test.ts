import { navigate } from '../../support/journeys/navigate.ts'
import { enter, expect, inEveryDialect } from '../../support/journeys/recordedJourney.ts'

/** Every list, with what it shows of a row of the recordings. */
const lists = [
  ['/dashboard', 'Servers', 'server'],
  ['/dashboard/service', 'Services', 'service/list'],
  ['/dashboard/cron', 'Tasks', 'cron'],
  ['/dashboard/notification', 'Notifiers', 'notification'],
  ['/dashboard/alert-rule', 'Alert rules', 'alert-rule'],
  ['/dashboard/ddns', 'DDNS profiles', 'ddns'],
  ['/dashboard/nat', 'NAT profiles', 'nat'],
  ['/dashboard/server-group', 'Server groups', 'server-group'],
  ['/dashboard/notification-group', 'Notifier groups', 'notification-group'],
  ['/dashboard/settings/user', 'Users', 'user'],
  ['/dashboard/settings/waf', 'Blocked addresses', 'waf'],
  ['/dashboard/settings/online-user', 'Online users', 'online-user'],
] as const

inEveryDialect('every list shows all rows of the server', async ({ page, recorded, dialect }) => {
  await enter(page)
  for (const [path, name, route] of lists) {
    // Each address is loaded once, on one of the servers.
    if (dialect === 'current') await page.goto(path)
    else await navigate(page, path)
    const rows = page.getByRole('table', { name }).locator('tbody').getByRole('row')
    const count = recorded.state.read(route).length
    if (count > 0) await expect(rows, name).toHaveCount(count)
    else await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }), name).toBeVisible()
    await expect(page.getByRole('alert'), name).toHaveCount(0)
  }
})
