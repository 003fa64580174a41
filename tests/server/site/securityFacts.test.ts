import { describe, expect, it } from 'vitest'
import type { AppOptions } from '../../../server/app.ts'
import { openAuditLog } from '../../../server/audit/auditLog.ts'
import { servesPlainHttp } from '../../../server/site/securityFacts.ts'
import { validForm } from '../../support/server/routes/validForm.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

type Server = Awaited<ReturnType<typeof testServer>>

async function factsOf(server: Server) {
  const { body } = await (await signedIn(server)).get('wheelhouse/security')
  return (body as { data: Record<string, unknown> }).data
}

/** A server whose audit log goes by its clock. */
async function recordingServer(): Promise<Server> {
  const audit = openAuditLog({ now: () => server.clock.now })
  const server: Server = await testServer({ audit })
  return server
}

const startedWith = async (settings: AppOptions['settings']) => factsOf(await testServer({ settings }))

describe('What the server says for the security page', () => {
  it.each([
    [{ host: '127.0.0.1' }, false],
    [{ host: 'localhost' }, false],
    [{ host: '::1' }, false],
    [{ host: '0.0.0.0' }, true],
    [{ host: '0.0.0.0', publicUrl: new URL('https://console.example.org') }, false],
    [{ host: '0.0.0.0', publicUrl: new URL('http://console.example.org') }, true],
    [{ host: '0.0.0.0', tls: { cert: 'cert.pem', key: 'key.pem' } }, false],
  ])('tells whether others reach it without TLS: %o', (settings, expected) => {
    expect(servesPlainHttp(settings)).toBe(expected)
  })

  it('comes with the reply for administrators', async () => {
    expect(await startedWith({ host: '0.0.0.0' })).toMatchObject({ plain_http: true, private_targets: false })
    expect(await startedWith({ host: '127.0.0.1' })).toMatchObject({ plain_http: false })
  })

  it('shows whether members may call private addresses', async () => {
    expect(await startedWith({ host: '127.0.0.1', allowPrivateTargets: true })).toMatchObject({ private_targets: true })
  })

  it('counts the failed sign-ins of the last day by address', async () => {
    const server = await recordingServer()
    await server.browser('203.0.113.1').signIn('admin', 'wrong')
    server.clock.now += 25 * 3_600_000
    for (let attempt = 0; attempt < 2; attempt++) {
      await server.browser('203.0.113.2').signIn('nobody', 'wrong')
      server.clock.now += 600_000
    }
    expect(await factsOf(server)).toMatchObject({ failed_sign_ins: [{ address: '203.0.113.2', count: 2 }] })
  })

  it('names the tasks that were changed in the last 7 days, and by whom', async () => {
    const server = await recordingServer()
    const create = async () => {
      const body = { ...validForm('cron'), servers: [] }
      const reply = await (await signedIn(server)).call('POST', 'cron', { body })
      return (reply.body as { data: number }).data
    }
    await create()
    server.clock.now += 8 * 86_400_000
    const id = await create()
    expect(await factsOf(server)).toMatchObject({
      changed_tasks: [{ id, username: 'admin' }],
      complete: true,
    })
  })

  it('says that it did not read the whole log where that is very long', async () => {
    const audit = openAuditLog({ now: () => Date.parse('2026-11-20T23:00:00Z') })
    for (let line = 0; line < 20_001; line++) audit.write({ action: 'file.read' })
    expect(await factsOf(await testServer({ audit }))).toMatchObject({ complete: false })
  })
})
