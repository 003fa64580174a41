import { expect, it } from 'vitest'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { startAgentServer } from '../../support/agent/agentServer.ts'
import { password, signedIn } from '../../support/server/testServer.ts'

const office = '127.0.0.1'
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

it('twenty people, five good and five bad agents behind one address: for ten minutes nobody good notices', async () => {
  const server = await startAgentServer()
  const { store, clock, app } = server
  const users = usersIn(store)
  const hash = users.get(1)?.password ?? ''
  for (const n of numbers(20)) addUser(users, { username: `person ${n}`, password: hash, role: 1, now: clock.now })
  // Behind them all: the second half comes later, while the others are already at work.
  const people = await Promise.all(numbers(10).map((n) => signedIn(server, `person ${n}`, office)))
  const ended = await signedIn(server, 'person 0', office)
  const cookies = [...ended.cookies]
  await people[0]?.call('DELETE', 'wheelhouse/sessions')
  const agentOf = (n: number, secret: string) => {
    const metadata = { client_secret: secret, client_uuid: `12345678-1234-4234-8234-12345678900${n}` }
    const status = () =>
      server
        .calls(metadata)
        .unary('ReportSystemInfo2', {})
        .then(
          () => 'accepted',
          ({ details }: { details: string }) => details,
        )
    return status
  }
  const good = numbers(5).map((n) => agentOf(n, server.secretOf(1)))
  const bad = numbers(5).map((n) => agentOf(n + 5, 'wrong'))

  for (const round of numbers(20)) {
    clock.now += 30_000
    // The bad: agents, a password that somebody guesses, a wrong API token, and the cookie of an ended session.
    expect((await Promise.all(bad.map((call) => call()))).filter((status) => status === 'accepted')).toEqual([])
    await server.browser(office).signIn('admin', `guess ${round}`)
    await server.browser(office).get('server', { authorization: 'Bearer nzp_wrong' })
    for (const [name, value] of cookies) ended.cookies.set(name, value)
    for (const path of ['setting', '/', 'profile']) expect((await ended.get(path)).status).toBe(200)
    // The good.
    expect(await Promise.all(good.map((call) => call()))).toEqual(good.map(() => 'accepted'))
    for (const browser of people) expect((await browser.get('profile')).body).toMatchObject({ success: true })
    expect((await server.browser(office).get('/')).status).toBe(200)
    if (round % 2 === 0) {
      // A typing error, and the right password after the three seconds.
      const name = `person ${10 + round / 2}`
      expect((await server.browser(office).signIn(name, 'typing error')).status).toBe(200)
      clock.now += 3000
      people.push(await signedIn(server, name, office))
    }
  }
  expect(people).toHaveLength(20)
  const ip = { ip: office }
  expect(app.auth.waf.rows()).toMatchObject([
    { ...ip, block_identifier: -126, block_reason: 2 },
    { ...ip, block_identifier: 1, block_reason: 1 },
  ])
  expect((await server.browser(office).signIn('admin', password)).status).toBe(403)
})
