import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createDuty } from '../../../server/escalations/duty.ts'
import { rotaCalendar } from '../../../server/escalations/escalationsPlugin.ts'
import { rota } from '../../../src/schemas/rota.ts'
import type { Browser } from '../../support/console/browser.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { createRecord } from '../../support/server/routes/validForm.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const week = { name: 'Ops, 24/7; "A\\B"', people: [1, 2], starts_on: '2026-11-16', time_zone: 'Europe/Berlin' }

/** A server with a rota of administrator and member, which hand over on Mondays at nine. */
async function withRota(given: object = {}) {
  const server = await testServer()
  const [admin, member] = [await signedIn(server), await signedIn(server, 'member')]
  const { body } = await admin.call('POST', 'wheelhouse/rotas', { body: { ...week, ...given } })
  expect(body).toMatchObject({ success: true })
  const shifts = async () =>
    ((await admin.get('wheelhouse/rotas/1/shifts')).body as { data: { shifts: Record<string, unknown>[] } }).data.shifts
  const feed = async () =>
    ((await admin.call('POST', 'wheelhouse/rotas/1/feed')).body as { data: { feed_path: string } }).data.feed_path
  return { server, admin, member, shifts, feed }
}

describe('the calendar of a rota', () => {
  it('has the next four weeks with who is on duty, and says where nobody would be told', async () => {
    const { server, admin, shifts } = await withRota({
      overrides: [{ from: '2026-11-26', to: '2026-11-26', user_id: 2 }],
    })
    // It is Saturday, the 21st.
    const found = await shifts()
    expect(found.map(({ from, name, is_override }) => [String(from).slice(0, 16), name, is_override])).toEqual([
      ['2026-11-16T08:00', 'admin', false],
      ['2026-11-23T08:00', 'member', false],
      ['2026-11-26T08:00', 'member', true],
      ['2026-11-27T08:00', 'member', false],
      ['2026-11-30T08:00', 'admin', false],
      ['2026-12-07T08:00', 'member', false],
      ['2026-12-14T08:00', 'admin', false],
    ])
    expect(found.every(({ problem }) => problem === 'no_notifiers')).toBe(true)
    const notifier = { name: 'n', url: 'http://127.0.0.1:9', request_method: 1, request_type: 1, skip_check: true }
    await admin.call('POST', 'notification', { body: notifier })
    await admin.call('POST', 'wheelhouse/profile/notifiers', { body: { notifiers: [1] } })
    expect((await admin.get('profile')).body).toMatchObject({ data: { notifiers: [1] } })
    usersIn(server.store).update(2, { role: 0, notifiers: [1] })
    expect((await shifts())[1]).not.toHaveProperty('problem')
    usersIn(server.store).update(2, { disabled: true })
    expect((await shifts())[1]).toMatchObject({ problem: 'no_notifiers' })
    usersIn(server.store).remove([2])
    expect((await shifts()).map(({ problem }) => problem ?? 'none')).toEqual([
      'none',
      'deleted',
      'deleted',
      'deleted',
      'none',
      'deleted',
      'none',
    ])
    const { body } = await admin.get('wheelhouse/rotas')
    expect(body).toMatchObject({ data: [{ id: 1, on_duty: 'admin' }] })
    await admin.call('POST', 'batch-delete/notification', { body: [1] })
    expect((await shifts())[0]).toMatchObject({ problem: 'no_notifiers' })
  })

  it('says who has left the team that it belongs to, and is told nothing there', async () => {
    const { server, member, shifts } = await withRota()
    const { teams } = server.app.auth
    const team = teams.create({ name: 'ops', users: [2], servers: [] })
    const notifier = { name: 'n', url: 'http://127.0.0.1:9', request_method: 1, request_type: 1, skip_check: true }
    await member.call('POST', 'notification', { body: notifier })
    await member.call('POST', 'wheelhouse/profile/notifiers', { body: { notifiers: [1] } })
    const own = { ...week, people: [2], team }
    expect((await member.call('POST', 'wheelhouse/rotas', { body: own })).body).toMatchObject({ success: true })
    const duty = createDuty(server.store, () => Date.parse('2026-11-21T12:00:00Z'))
    const problems = async () =>
      ((await member.get('wheelhouse/rotas/2/shifts')).body as { data?: { shifts: { problem?: string }[] } }).data
        ?.shifts[0]?.problem
    expect([duty.now(2)?.notifiers, await problems()]).toEqual([[1], undefined])
    teams.update(team, { name: 'ops', users: [], servers: [] })
    expect(duty.now(2)).toMatchObject({ name: 'member', notifiers: [], isOutside: true })
    // The rota that is no team's is as before.
    expect((await shifts())[1]).not.toHaveProperty('problem')
    const admin = await signedIn(server)
    expect((await admin.get('wheelhouse/rotas/2/shifts')).body).toMatchObject({
      data: { shifts: [{ name: 'member', problem: 'not_in_team' }] },
    })
  })

  it('is shown to nobody else', async () => {
    const { member, server } = await withRota()
    expect((await member.get('wheelhouse/rotas')).body).toEqual({ success: true })
    expect((await member.get('wheelhouse/rotas/1/shifts')).body).toEqual({ error: 'permission denied' })
    expect((await member.call('POST', 'wheelhouse/rotas/1/feed')).body).toEqual({ error: 'permission denied' })
    expect((await server.browser().get('wheelhouse/rotas/1/shifts')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })
})

describe('the calendar for programs', () => {
  it('is read without a sign-in at its address, until that is another one', async () => {
    const { server, feed } = await withRota()
    const stranger = server.browser()
    const path = await feed()
    expect(path).toMatch(/^\/api\/rota\/1-1-[\w-]{32}\.ics$/)
    const { status, headers, text } = await stranger.get(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store' })
    const lines = text.split('\r\n')
    expect(lines.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0'])
    expect(lines).toContain('DTSTART:20261123T080000Z')
    expect(lines).toContain('SUMMARY:member · Ops\\, 24/7\\; "A\\\\B"')
    expect(lines.at(-2)).toBe('END:VCALENDAR')
    const renewed = await feed()
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.get(renewed)).status).toBe(200)
    usersIn(server.store).remove([1])
    expect((await stranger.get(renewed)).status).toBe(404)
  })

  it('has an address for each who may see it, which ends at once when they leave the team', async () => {
    const { server, admin, member } = await withRota()
    const { teams } = server.app.auth
    const id = await createRecord(admin, 'user', { username: 'colleague', role: 1, password: 'long enough' })
    const colleague = await enter(server, id)
    const team = teams.create({ name: 'ops', users: [2, id], servers: [] })
    const own = { ...week, people: [2], team }
    expect((await member.call('POST', 'wheelhouse/rotas', { body: own })).body).toMatchObject({ data: 2 })
    await member.call('POST', 'wheelhouse/rotas/2/feed')
    const pathOf = async (browser: Browser) =>
      ((await browser.get('wheelhouse/rotas')).body as { data: { id: number; feed_path: string }[] }).data.find(
        (row) => row.id === 2,
      )?.feed_path ?? ''
    const [first, second, third] = [await pathOf(member), await pathOf(colleague), await pathOf(admin)]
    expect(new Set([first, second, third]).size).toBe(3)
    const stranger = server.browser()
    const codes = async () => Promise.all([first, second, third].map(async (path) => (await stranger.get(path)).status))
    expect(await codes()).toEqual([200, 200, 200])
    teams.update(team, { name: 'ops', users: [id], servers: [] })
    expect(await codes()).toEqual([404, 200, 200])
    // What they know gives them no other address.
    expect((await stranger.get(first.replace('2-2-', `2-${id}-`))).status).toBe(404)
    usersIn(server.store).update(id, { disabled: true })
    expect(await codes()).toEqual([404, 404, 200])
    teams.update(team, { name: 'ops', users: [2, id], servers: [] })
    expect(await codes()).toEqual([200, 404, 200])
    await admin.call('POST', 'wheelhouse/rotas/2/feed')
    expect(await codes()).toEqual([404, 404, 404])
  })

  it('has no address made of the one that all had before, which they know', async () => {
    const { server, admin, feed } = await withRota()
    const known = '/api/rota/AbCdEfGhIjKlMnOpQrStUvWxYz012345.ics'
    entityTable(server.store, rota).update(1, { feed_path: known })
    const signature = createHmac('sha256', known).update('1-1').digest().subarray(0, 24).toString('base64url')
    const stranger = server.browser()
    expect((await stranger.get(known)).status).toBe(404)
    expect((await stranger.get(`/api/rota/1-1-${signature}.ics`)).status).toBe(404)
    const { body } = await admin.get('wheelhouse/rotas')
    expect((body as { data: object[] }).data).toEqual([expect.not.objectContaining({ feed_path: expect.anything() })])
    expect((await stranger.get(await feed())).status).toBe(200)
  })

  it('does not answer any number of calls, nor of guesses', async () => {
    const { server, feed } = await withRota()
    const path = await feed()
    const codes = async (of: string, browser = server.browser('198.51.100.7')) => {
      const all: number[] = []
      for (let call = 0; call < 25; call++) all.push((await browser.get(of)).status)
      return all
    }
    expect((await codes(path)).filter((code) => code === 200).length).toBeLessThan(25)
    const guesses = await codes('/api/rota/none.ics')
    expect(guesses.slice(0, 10)).toEqual(Array(10).fill(404))
    expect(guesses.at(-1)).toBe(429)
  })

  it('has lines of at most 75 octets, none of which ends within a character', () => {
    const shift = { from: 0, to: 60_000, user_id: 1, is_override: false, name: '值班'.repeat(60) }
    const text = rotaCalendar({ id: 1, host: 'a.example', name: 'x\r\nEND:VCALENDAR\u0007', shifts: [shift], now: 0 })
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line.isWellFormed()).toBe(true)
    }
    const unfolded = text.replaceAll('\r\n ', '').split('\r\n')
    expect(unfolded).toContain(`SUMMARY:${shift.name} · x\\nEND:VCALENDAR`)
    expect(unfolded.filter((line) => line === 'END:VCALENDAR')).toHaveLength(1)
  })
})
