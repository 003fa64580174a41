import { describe, expect, it, onTestFinished } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import type { SignInProviderForm } from '../../../../src/schemas/account/signInProvider.ts'
import type { RoleAssignment } from '../../../../src/schemas/define/roles.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { startOpenidIssuer } from '../../../support/fakes/openidIssuer.ts'
import { signInAtProvider } from '../../../support/journeys/oauth2Journey.ts'
import { failedWith, profileOf, redirectOf } from '../../../support/server/auth/oauth2Servers.ts'
import { signedIn, testServer } from '../../../support/server/testServer.ts'

const succeeded = [302, '/dashboard/login?oauth2=true']
const viewerOfAll: RoleAssignment = { role: 'viewer', scope: 'all' }
const operatorOfAll: RoleAssignment = { role: 'operator', scope: 'all' }

type Form = Omit<Partial<SignInProviderForm>, 'groups'> & { groups?: object[] }

/** A server, and a provider that its administrator has entered in the console. */
async function startFixture(form: Form = {}) {
  const issuer = await startOpenidIssuer()
  onTestFinished(() => issuer.close())
  issuer.claims = { sub: '4711', preferred_username: 'ada', groups: [] }
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  const admin = await signedIn(server)
  const whole = {
    kind: 'oidc',
    name: 'Company',
    settings: { issuer: issuer.issuer, client_id: 'console' },
    secret: 's3cret',
    create_accounts: true,
    ...form,
  }
  const post = (body: object) => admin.call('POST', 'wheelhouse/sign-in-providers', { body })
  const change = (changes: object) =>
    admin.call('PATCH', 'wheelhouse/sign-in-providers/1', { body: { ...whole, secret: '', ...changes } })
  expect((await post(whole)).body).toEqual({ success: true, data: { id: 1 } })

  /** Signs in as somebody of these groups. */
  async function signIn(groups?: unknown, name = 'ada', browser: Browser = server.browser()) {
    issuer.claims = { sub: name, preferred_username: name, ...(groups !== undefined && { groups }) }
    return { browser, redirect: redirectOf(await signInAtProvider(browser, 'Company')) }
  }
  const idOf = (name: string) => server.app.auth.users.find({ username: name })[0]?.id ?? 0
  const rolesOf = (name: string) => server.app.auth.roles.of(idOf(name))
  const list = async () => (await admin.get('wheelhouse/sign-in-providers')).body
  return { issuer, server, admin, lines, whole, post, change, signIn, idOf, rolesOf, list }
}

describe('a provider that was entered in the console', () => {
  it('makes an account at the first sign-in, whose roles are what its groups say at each', async () => {
    const { signIn, rolesOf, server } = await startFixture({
      groups: [
        { group: 'ops', roles: [operatorOfAll] },
        { group: 'all', roles: [viewerOfAll] },
      ],
    })
    const { browser, redirect } = await signIn(['all', 'ops', 'unknown'])
    expect(redirect).toEqual(succeeded)
    expect(await profileOf(browser)).toMatchObject({ username: 'ada', role: 1, reject_password: true })
    expect(rolesOf('ada')).toEqual([operatorOfAll, viewerOfAll])
    expect((await signIn(['all'])).redirect).toEqual(succeeded)
    expect(rolesOf('ada')).toEqual([viewerOfAll])
    expect((await signIn([])).redirect).toEqual(succeeded)
    expect(rolesOf('ada')).toEqual([])
    expect(server.app.auth.users.all()).toHaveLength(3)
  })
})
