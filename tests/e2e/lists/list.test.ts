import { readFile } from 'node:fs/promises'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { allGroups, allServers, serverList } from '../../support/journeys/serverList.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

// What 10,000 show alone has them below: each of their tests costs as much as two of these.
test.use({ seeded: 2_000 })

test.beforeEach(({ context }) => signIn(context))

test('a selection spans pages and ranges, and is cleared by another filter and by a reload', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('menuitem', { name: 'Delete selected' }).click()
  await expectToast(page, 'No rows are selected')

  await list.tick(1)
  await list.tick(4, { modifiers: ['Shift'] })
  await expect(page.getByText('4 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await list.selectPage()
  await expect(page.getByText('14 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(list.rows.nth(2).getByRole('checkbox')).toBeChecked()

  await list.search.fill('db-')
  await expect(page.getByText(/\d selected/)).toBeHidden()
  await list.search.fill('')
  await list.tick(0)
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.reload()
  await expect(list.rows).toHaveCount(10)
  await expect(page.getByText(/\d selected/)).toBeHidden()
  await expect(list.rows.getByRole('checkbox', { checked: true })).toHaveCount(0)
})

test('deleting many servers requires typing their number', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard')
  await list.search.fill('mail-tok')
  const before = await allServers(page)
  const doomed = before.filter(({ name }) => name.startsWith('mail-tok'))
  const count = doomed.length
  await list.expectTotal(count)
  await list.selectPage()
  await page.getByRole('button', { name: `Select all ${count} matching` }).click()
  await expect(page.getByText(`${count} selected`)).toBeVisible()
  await list.deleteSelected.click()

  const question = page.getByRole('alertdialog', { name: `Delete ${count} servers?` })
  await expect(question.getByRole('list').first().getByRole('listitem')).toHaveText([
    /^mail-tok/,
    /^mail-tok/,
    /^mail-tok/,
    /^mail-tok/,
    /^mail-tok/,
    `+ ${count - 5} more`,
  ])
  // Records that refer to them are named as well.
  await expect(question).toContainText('Server group: Tokyo')
  await expect(question).toContainText(`${count - 10} of them are not on this page.`)
  await expect(question).toContainText('can be restored within 24 hours in this browser')
  const button = question.getByRole('button', { name: `Delete ${count} servers` })
  await expect(button).toBeDisabled()
  const number = question.getByLabel(`Type ${count} to confirm`)
  await number.fill('20')
  await expect(button).toBeDisabled()
  await number.fill(String(count))
  await button.click()
  await expect(question).toBeHidden()
  await expectToast(page, `Deleted: ${count} servers`)
  await list.expectTotal(0)
  await expect(page.getByRole('table', { name: 'Servers' })).toContainText('No results')
  const gone = new Set(doomed.map(({ id }) => id))
  expect((await allServers(page)).map(({ id }) => id)).toEqual(before.map(({ id }) => id).filter((id) => !gone.has(id)))
})

test('columns, page size and saved views are remembered', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard')
  await expect(list.heading('IP')).toBeVisible()
  const menu = await list.openMenu()
  await menu.getByRole('menuitemcheckbox', { name: 'IP' }).click()
  await page.keyboard.press('Escape')
  await expect(list.heading('IP')).toBeHidden()
  await page.getByLabel('Rows per page').selectOption('50')
  await expect(list.rows).toHaveCount(50)

  await list.search.fill('cache-sin')
  const matching = (await allServers(page)).filter(({ name }) => name.startsWith('cache-sin')).length
  await list.expectTotal(matching)
  const name = (await list.openMenu()).getByRole('textbox', { name: 'Name this view' })
  await name.fill('Caches in Singapore')
  await name.press('Enter')
  await page.keyboard.press('Escape')

  await page.goto('/dashboard')
  await expect(list.rows).toHaveCount(50)
  await expect(list.heading('IP')).toBeHidden()
  await (await list.openMenu()).getByRole('button', { name: 'Caches in Singapore', exact: true }).click()
  await list.expectTotal(matching)
  await expect(list.search).toHaveValue('cache-sin')
})

test('servers are filtered by online and offline', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard')
  await list.filter('Status', 'Online')
  await list.expectTotal(1)
  await expect(list.rows).toHaveText([/Online/])
  const { length } = await allServers(page)
  await list.filter('Status', 'Offline')
  await list.expectTotal(length - 1)
})

test('the filtered rows are exported as CSV and JSON, and no name becomes a formula', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard')
  await list.search.fill('queue-par')
  // A link that is opened sooner has the address before the search, and on a busy machine is that of another row.
  await expect(page).toHaveURL(/queue-par/)
  await expect(list.rows.first()).toContainText('queue-par')
  await list.rows.first().getByRole('link', { name: /^Edit/ }).click()
  const formula = '=HYPERLINK("http://x.example","queue-par"),1'
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(formula)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const matching = (await allServers(page)).filter(({ name }) => name.includes('queue-par'))
  expect(matching.length).toBeGreaterThan(20)
  await list.expectTotal(matching.length)

  const take = async (format: 'CSV' | 'JSON') => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (await list.openMenu()).getByRole('menuitem', { name: `Export as ${format}` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`server.${format.toLowerCase()}`)
    return readFile(await download.path(), 'utf8')
  }
  const csv = await take('CSV')
  expect(csv.startsWith('\uFEFFID,Name,')).toBe(true)
  const lines = csv.slice(1).split('\r\n')
  expect(lines.at(-1)).toBe('')
  expect(lines).toHaveLength(matching.length + 2)
  expect(csv).toContain(`,"'=HYPERLINK(""http://x.example"",""queue-par""),1",`)
  expect(csv).toContain(',Paris,')

  const records = JSON.parse(await take('JSON')) as { id: number; name: string }[]
  expect(records.map(({ id }) => id).sort((a, b) => a - b)).toEqual(matching.map(({ id }) => id).sort((a, b) => a - b))
  expect(records.find(({ name }) => name === formula)).toBeDefined()
})

test.describe(() => {
  test.use({ seeded: 10_000 })

  test('search, filters and sorting work on 10,000 servers, and a link shows others the same', async ({
    page,
    openBrowser,
  }) => {
    const list = serverList(page)
    await page.goto('/dashboard')
    const servers = await allServers(page)
    expect(servers.length).toBeGreaterThan(9000)
    await list.expectTotal(servers.length)

    await list.search.fill('Frankfurt')
    const frankfurt = (await allGroups(page)).find(({ group }) => group.name === 'Frankfurt')
    await list.expectTotal(frankfurt?.servers?.length ?? 0)

    await list.search.fill('web-ams')
    await list.filter('Hide for guest', 'Yes')
    const expected = servers.filter(({ name, hide_for_guest }) => name.startsWith('web-ams') && hide_for_guest)
    expect(expected.length).toBeGreaterThan(2)
    await list.expectTotal(expected.length)
    const ids = expected.map(({ id }) => id).sort((a, b) => a - b)
    await list.sortBy('ID')
    await expect(list.heading('ID')).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(list.ids).toEqual(ids.slice(0, 10))
    await list.sortBy('ID')
    await expect.poll(list.ids).toEqual(ids.toReversed().slice(0, 10))

    const colleague = await (await openBrowser()).newPage()
    await colleague.goto(page.url())
    const theirs = serverList(colleague)
    await theirs.expectTotal(expected.length)
    await expect.poll(theirs.ids).toEqual(await list.ids())
    await expect(theirs.search).toHaveValue('web-ams')
    await expect(theirs.heading('ID')).toHaveAttribute('aria-sort', 'descending')
    await colleague.getByRole('button', { name: 'Clear filters' }).click()
    await theirs.expectTotal(servers.length)
  })
})
