import { readFileSync } from 'node:fs'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { terminalPane } from '../../support/console/terminalPage.ts'
import { enter, expect, inEveryDialect, signIn } from '../../support/journeys/recordedJourney.ts'

const verbs = { 'v1.10.8': 'GET', 'v1.14.14': 'GET', current: 'POST' } as const

inEveryDialect(
  'the session is renewed with the HTTP method of the server version',
  async ({ page, recorded, dialect }) => {
    await page.clock.install()
    await enter(page)
    await expect(page.getByRole('table', { name: 'Servers' })).toBeVisible()
    const renewals = () => recorded.calls.filter((call) => call.includes('refresh-token'))
    expect(renewals()).toEqual([])
    await page.clock.fastForward('46:00')
    await expect.poll(renewals).toEqual([`${verbs[dialect]} refresh-token`])
    await page.goto('/dashboard/nat')
    await expect(page.getByRole('heading', { name: 'NAT profiles', level: 1 })).toBeVisible()
  },
)

inEveryDialect('a terminal opens, runs commands, sends its size and closes', async ({ page, recorded }) => {
  await signIn(page)
  await page.goto('/dashboard/terminal/1')
  const shell = terminalPane(page)
  await shell.expectText(/root@vm:\/srv\/agent#/)
  await shell.run('stty size')
  await shell.expectText(/40 120/)
  await shell.run('echo hi')
  await shell.expectText(/^hi$/m)
  await shell.run('exit')
  await expect(page.getByRole('dialog', { name: 'Session completed' })).toBeVisible()
  expect(recorded.calls.filter((call) => call.includes('terminal'))).toEqual(['POST terminal'])
})

inEveryDialect('files are listed, downloaded and uploaded', async ({ page, recorded, dialect }) => {
  await signIn(page)
  const files = await openFilePanel(page)
  await files.goTo('/srv/demo')
  await expect.poll(files.names).toContain('small.txt')
  expect(readFileSync(await files.download('small.txt'), 'utf8')).toBe('hello\n')
  await files.upload([{ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('from the browser') }])
  await expect
    .poll(() => recorded.uploads.map(({ path, content }) => [path, content.toString()]))
    .toEqual([['/srv/demo/up.txt', 'from the browser']])
  await files.expectNotification(/uploaded/)
  // What sends files has a session of its own.
  const opened = `${verbs[dialect]} file?id=1`
  expect(recorded.calls.filter((call) => call.includes('file?'))).toEqual([opened, opened])
})

inEveryDialect(
  'a section that the server does not support is requested only when opened, and then hidden',
  async ({ page, recorded, dialect, faults }) => {
    await signIn(page)
    await page.goto('/dashboard/profile')
    const late = () => recorded.calls.filter((call) => /api-tokens|transfer/.test(call))
    const show = page.getByRole('button', { name: 'Show: API tokens' })
    await expect(show).toBeVisible()
    expect(late()).toEqual([])
    await show.click()
    await expect.poll(late).toEqual(['GET api-tokens'])
    const section = page.getByRole('region', { name: 'API tokens' })
    if (dialect === 'current') await expect(section.getByRole('table')).toBeVisible()
    else await expect(section).toHaveCount(0)
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
      /<token>|agent_secret/,
    )
    // The browser notes every 404 by itself.
    if (dialect !== 'current') faults.splice(0, faults.length, ...faults.filter((fault) => !/404/.test(fault)))
  },
)
