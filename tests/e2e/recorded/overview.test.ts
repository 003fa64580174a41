import { navigate } from '../../support/journeys/navigate.ts'
import { expect, inEveryDialect, signIn } from '../../support/journeys/recordedJourney.ts'

inEveryDialect('the pages of a server and of a service show what the server has', async ({ page, recorded }) => {
  await signIn(page)
  const main = page.getByRole('main')
  for (const [index, entity] of ['server', 'service/list'].entries()) {
    const [row] = recorded.state.read(entity) as { id: number; name: string }[]
    if (!row) continue
    const path = `/dashboard/${entity.split('/')[0]}/${row.id}/overview`
    await (index === 0 ? page.goto(path) : navigate(page, path))
    await expect(page.getByRole('heading', { level: 1, name: row.name })).toBeVisible()
    await expect(main.getByRole('region', { name: 'Related' })).toBeVisible()
    await expect(main.getByRole('region', { name: 'History' })).not.toHaveText(/Loading/)
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  // What only the embedded server has is neither asked for nor shown.
  expect(recorded.calls.filter((call) => /wheelhouse|runs/.test(call))).toEqual([])
  for (const name of ['Alarms', 'Task runs', 'Notifications sent']) {
    await expect(main.getByRole('region', { name })).toHaveCount(0)
  }
  await expect(page.getByRole('link', { name: 'What visitors see' })).toHaveAttribute('href', '/')
})
