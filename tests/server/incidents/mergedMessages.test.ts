import { expect, it } from 'vitest'
import { openOutbox } from '../../../server/notifications/outbox.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'

it('A message that its receiver puts off stays before those of the incident of which its own becomes part', async () => {
  let at = Date.now()
  const got: string[] = []
  const { origin } = await receiver((reply, { url = '' }) => {
    const message = new URL(url, 'http://receiver').searchParams.get('m') ?? ''
    got.push(message)
    // After two refusals others go before it.
    reply.writeHead(message === 'began' && got.length < 5 ? 429 : 200).end()
  })
  const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], {
    now: () => at,
    async pause(ms) {
      at += ms
    },
  })
  const { notifications, store, app } = fixture
  const trouble = { service_id: 0, rule_id: 9, owner_id: 1, host: '', started_at: at, rule_name: '' } as const
  const away = (id: number) =>
    app.incidents.begin({ ...trouble, kind: 'alarm', id, server_id: id, name: `web-${id} away`, is_gone: true })
  const first = away(1)
  const second = away(2)
  notifications.send({ groupId: 1, message: 'began', incidentId: second.id })
  notifications.save()
  // Three that are alike are one.
  away(3)
  expect(app.incidents.get(second.id)?.id).toBe(first.id)
  notifications.send({ groupId: 1, message: 'over', incidentId: first.id })
  notifications.send({ groupId: 1, message: 'of something else' })
  notifications.save()
  // A restart finds them so.
  const left = openOutbox(store, () => {}).left()
  expect(left.map(({ message, incident_id }) => [message, incident_id])).toEqual([
    ['began', first.id],
    ['over', first.id],
    ['of something else', null],
  ])
  await logged(fixture, 3)
  expect(got).toEqual(['began', 'began', 'of something else', 'began', 'began', 'over'])
})
