import { beforeAll, describe, expect, it } from 'vitest'
import { type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import {
  type Exchange,
  expectAsRecorded,
  named,
  readRecording,
  replay,
  timeless,
} from '../../support/recorded/recording.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const justBeforeItsRun = Date.parse('2026-11-21T00:16:53Z')

async function onlineServer(): Promise<DataApp & { clock: { now: number } }> {
  const clock = { now: justBeforeItsRun }
  const data = await dataApp({ now: () => clock.now })
  const host = createTestHost()
  data.machines.add(host)
  host.report({ at: new Date(clock.now + 8000) })
  await data.call('POST', 'notification-group', { name: 'on call' })
  return { ...data, clock }
}

/** The body without the id of the job, which is up to each server. */
function comparable(body: unknown): unknown {
  const strip = (_key: string, value: unknown) =>
    value && typeof value === 'object' && 'cron_job_id' in value ? { ...value, cron_job_id: '<job>' } : value
  return JSON.parse(JSON.stringify(timeless(body)), strip)
}

describe('exchanges about tasks recorded with a real server are answered the same', () => {
  let data: Awaited<ReturnType<typeof onlineServer>>
  beforeAll(async () => {
    data = await onlineServer()
  })

  /** What happened on the recorded server between the calls. */
  async function meanwhile({ name }: Exchange): Promise<void> {
    if (name === 'list') {
      data.tasks.tick()
      // The tasks with the tested expressions were deleted.
      await data.call('POST', 'batch-delete/cron', [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    }
    if (name === 'list after execution') {
      data.clock.now += 7000
      data.tasks.tick()
      await data.tasks.idle()
    }
    // Two tasks were created and deleted in between.
    if (name === 'create cover 2 trigger task') {
      for (let made = 0; made < 2; made++) await data.call('POST', 'cron', { task_type: 1 })
      await data.call('POST', 'batch-delete/cron', [17, 18])
    }
  }

  it.each(named(readRecording('cron')))('%s', async (_, one) => {
    await meanwhile(one)
    const { status, body } = await replay(data, one)
    expect(status).toBe(one.response.status)
    // The server of this test has no reply for unknown paths.
    if (status === 404) return
    // Beyond the recorded server, this one says where it was started.
    const isRun = one.request.path.endsWith('/manual')
    expect(comparable(isRun ? { ...(body as object), data: undefined } : body)).toEqual(comparable(one.response.body))
  })
})

describe('exchanges of a member about tasks recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await onlineServer()
    for (let id = 1; id <= 17; id++) await data.call('POST', 'cron', { name: 'adminc', task_type: 1 })
    for (let id = 1; id <= 7; id++) await data.call('POST', 'service', { name: 'adminsv', type: 1, cover: 1 })
  })
  const exchanges = readRecording('roles-member', [
    'GET /cron',
    'GET /service/list',
    'PATCH foreign cron',
    'run foreign cron',
    'cron on foreign server',
    'own cron cover all',
    'delete foreign cron',
    'PATCH foreign service',
    'delete foreign service',
  ])

  it.each(named(exchanges))('%s', async (_, one) => {
    await expectAsRecorded(data, one, member)
  })
})

describe('the older verb for running a task', () => {
  it('is answered as an unknown path', async () => {
    const browser = await signedIn(await testServer())
    const { status, body } = await browser.get('cron/1/manual')
    expect({ status, body }).toEqual({ status: 404, body: { error: '404 Not Found' } })
  })
})
