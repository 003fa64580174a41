import { beforeAll, describe, expect, it } from 'vitest'
import { type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { expectAsRecorded, named, readRecording, replay, timeless } from '../../support/recorded/recording.ts'

/** The text without the address of the name server, which depends on the machine. */
const withoutNameServer = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/(lookup \S+) on [^ ]+: (no such host|server misbehaving)/, '$1: no such host')
      .replace(/(target is not allowed): it lies in a network behind this server\. [^"]*/, '$1'),
  )

// Recorded as an administrator, who may call private targets here; so the replies are compared for a member.
describe('exchanges about notifiers recorded with a real server are answered the same for a member', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await dataApp()
  })

  it.each(named(readRecording('notification')))('%s', async (_, one) => {
    const { status, body } = await replay(data, one, member)
    expect(status).toBe(one.response.status)
    expect(withoutNameServer(timeless(body))).toEqual(withoutNameServer(timeless(one.response.body)))
  })
})

describe('exchanges about notifier groups recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await dataApp()
    await data.call('POST', 'notification', { name: 'n', skip_check: true })
  })

  it.each(named(readRecording('notification-group')))('%s', async (_, one) => {
    await expectAsRecorded(data, one)
  })
})

describe('a notifier that is deleted', () => {
  it('is removed from its groups', async () => {
    const { call } = await dataApp()
    await call('POST', 'notification', { name: 'n', skip_check: true })
    await call('POST', 'notification-group', { name: 'g', notifications: [1] })
    await call('POST', 'batch-delete/notification', [1])
    expect((await call('GET', 'notification-group')).body).toMatchObject({ data: [{ notifications: null }] })
  })
})

describe('somebody else’s notifier', () => {
  it('cannot be changed, deleted, tested or put into a group', async () => {
    const { call } = await dataApp()
    await call('POST', 'notification', { name: 'n', skip_check: true })
    const denied = { body: { error: 'permission denied' } }
    expect(await call('PATCH', 'notification/1', { name: 'x' }, member)).toMatchObject(denied)
    expect(await call('POST', 'batch-delete/notification', [1], member)).toMatchObject(denied)
    expect(await call('POST', 'notification-group', { name: 'g', notifications: [1] }, member)).toMatchObject(denied)
    expect((await call('GET', 'notification', undefined, member)).body).toEqual({ success: true })
  })
})
