import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { server } from '../../../src/schemas/server.ts'
import { admin, dataApp, member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

async function fixture() {
  const data = await dataApp({ now: () => noon, allowPrivateTargets: true })
  const host = createTestHost({ name: 'db-fra-1' })
  data.machines.add(host)
  host.report({ at: new Date(noon), state: { cpu: 12.5 }, ip: { ipv4_addr: '192.0.2.7' } })
  for (const row of entityTable(data.store, server).all())
    entityTable(data.store, server).update(row.id, { user_id: admin.id })
  const preview = async (form: object, person = admin) => {
    const call = await data.call(
      'POST',
      'wheelhouse/notification/preview',
      { event: 'incident', rule: 'CPU', ...form },
      person,
    )
    const { data: reply, error } = call.body as { data?: object; error?: string }
    return error ?? reply
  }
  const store = (row: object) =>
    entityTable(data.store, notification).insert({ name: 'n', request_method: 1, user_id: admin.id, ...row })
  return { ...data, preview, store }
}

const url = 'https://api.example.org/bot123456:secretToken/send?chat_id=99&text=#NEZHA#'

describe('The message of a notifier, before it is sent', () => {
  it('is that of an alarm on a server, without the secrets of the address', async () => {
    const { preview } = await fixture()
    expect(await preview({ url, server_id: 1 })).toEqual({
      method: 'GET',
      url: 'https://api.example.org/…/send?chat_id=99&text=%5BIncident%5D+db-fra-1%28192.****.7%29+CPU',
      headers: [],
    })
  })

  it('has the body with its placeholders filled in, the names of headers, and no tokens', async () => {
    const { preview } = await fixture()
    const form = {
      url: 'https://example.org/hook',
      request_method: 2,
      request_type: 1,
      request_header: '{"Authorization":"Bearer abc123def"}',
      request_body: '{"token":"sk12345678","text":"Warning: #NEZHA#","cpu":"#SERVER.CPU#"}',
      format_metric_units: true,
      server_id: 1,
    }
    expect(await preview({ ...form, event: 'resolved' })).toEqual({
      method: 'POST',
      url: 'https://example.org/hook',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'Authorization', value: '…' },
      ],
      body: '{"token":"…","text":"Warning: [Resolved] db-fra-1(192.****.7) CPU","cpu":"12.50 %"}',
    })
  })

  it('is a mail with its sender, receivers and subject, and no password', async () => {
    const { preview } = await fixture()
    const mail = 'smtps://me%40example.org:pass-word-1@mail.example.org/?to=ops@example.org&subject=Alarm'
    const shown = await preview({ url: mail, server_id: 1 })
    expect(shown).toEqual({
      method: 'MAIL',
      url: 'mail.example.org:465',
      headers: [
        { name: 'From', value: 'me@example.org' },
        { name: 'To', value: 'ops@example.org' },
        { name: 'Subject', value: 'Alarm' },
      ],
      body: '[Incident] db-fra-1(192.****.7) CPU',
    })
    expect(JSON.stringify(shown)).not.toContain('pass-word-1')
  })

  it('of a stored notifier uses what is hidden in the form, for its owner only', async () => {
    const { preview, store } = await fixture()
    const own = store({ url })
    expect(await preview({ id: own, event: 'test' })).toMatchObject({
      url: 'https://api.example.org/…/send?chat_id=99&text=a+test+message',
    })
    expect(await preview({ id: own }, member)).toBe('permission denied')
    expect(await preview({ id: store({ url, user_id: member.id }) })).toBe(
      'only the owner of a notifier may see its message',
    )
    expect(await preview({ id: 99 })).toBe('notification id 99 does not exist')
  })

  it('is about servers of the person only, and says what is wrong with a notifier', async () => {
    const { preview } = await fixture()
    expect(await preview({ url, server_id: 1 }, member)).toBe('server id 1 does not exist')
    expect(await preview({ url: 'smtps://nowhere' })).toContain('the mail address needs the form')
    expect(await preview({ url, event: 'birthday' })).toContain('event is not valid')
  })

  it('sends nothing', async () => {
    const { preview } = await fixture()
    const { origin, deliveries } = await receiver()
    await preview({ url: `${origin}/?text=#NEZHA#`, server_id: 1 })
    expect(deliveries).toEqual([])
  })
})
