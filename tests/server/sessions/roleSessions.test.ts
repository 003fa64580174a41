import { describe, expect, it, vi } from 'vitest'
import type { Browser } from '../../support/console/browser.ts'
import { prompt, startTerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const onServer = (role: string) => ({ role, scope: { groups: [], servers: [1] } })

async function startFixture() {
  const server = await startTerminalServer({ watchMs: 20 })
  const admin = await server.signIn()
  /** Gives roles to the user 2, who is called member. */
  const give = async (...roles: unknown[]) => {
    const { body } = await admin.call('PATCH', 'wheelhouse/users/2/roles', { body: { roles } })
    expect(body).toEqual({ success: true })
  }
  const openFiles = async (browser: Browser) => (await browser.call('POST', 'file?id=1')).body
  return { ...server, give, openFiles }
}

const denied = { error: 'permission denied' }
const refusal = { text: JSON.stringify(denied) }

describe('a terminal on the server of somebody else', () => {
  it('is refused to a viewer, and opened for an operator; so are the files', async () => {
    const { give, open, create, signIn, openFiles } = await startFixture()
    const member = await signIn('member')
    expect(await create(member)).toEqual(denied)
    await give(onServer('viewer'))
    expect(await create(member)).toEqual(denied)
    expect(await openFiles(member)).toEqual(denied)
    await give(onServer('operator'))
    expect(await openFiles(member)).toMatchObject({ success: true })
    expect((await open('member')).output()).toContain(prompt)
  })

  it('ends when the role is taken away, and cannot be attached to again', async () => {
    const { give, open, refused, audit } = await startFixture()
    await give(onServer('operator'))
    const { closed, id, browser } = await open('member')
    await give(onServer('viewer'))
    await closed
    await vi.waitFor(() =>
      expect(audit).toContainEqual(
        expect.objectContaining({
          action: 'terminal.end',
          detail: expect.objectContaining({ outcome: 'no longer allowed' }),
        }),
      ),
    )
    expect(await refused(browser, id)).toMatchObject(refusal)
  })

  it.each([
    ['its person leaves the team by which they have the role', 'PATCH'],
    ['that team is deleted', 'DELETE'],
  ])('ends when %s', async (_, method) => {
    const { open, refused, signIn } = await startFixture()
    const admin = await signIn()
    const team = { name: 'on call', users: [2], servers: [1] }
    const roles = [{ role: 'operator', scope: 'team' }]
    const { body } = await admin.call('POST', 'wheelhouse/teams', { body: { ...team, roles } })
    expect(body).toMatchObject({ success: true })
    const { closed, id, browser, output } = await open('member')
    expect(output()).toContain(prompt)
    await admin.call(method, 'wheelhouse/teams/1', { body: { ...team, users: [] } })
    await closed
    expect(await refused(browser, id)).toMatchObject(refusal)
  })

  it('that waits for its socket is not attached to after the role was taken away', async () => {
    const { give, create, refused, signIn } = await startFixture()
    await give(onServer('operator'))
    const member = await signIn('member')
    const { session_id = '' } = await create(member)
    await give()
    expect(await refused(member, session_id)).toMatchObject(refusal)
  })

  it('of an operator is not for another operator of the server', async () => {
    const { give, open, refused, signIn } = await startFixture()
    await give(onServer('operator'))
    const { id } = await open('member')
    const admin = await signIn()
    await admin.call('PATCH', 'wheelhouse/users/3/roles', { body: { roles: [onServer('operator')] } })
    expect(await refused(await signIn('other'), id)).toMatchObject(refusal)
  })
})
