import { describe, expect, it } from 'vitest'
import { blockFor, type FailureRow, failureOf, pauseAfter } from '../../../../server/auth/blocking/blockRules.ts'
import { addUser, usersIn } from '../../../../server/auth/users/users.ts'
import { password, signedIn, testServer } from '../../../support/server/testServer.ts'

const attacker = '198.51.100.10'

describe('an address where many accounts are tried', () => {
  it('is not one where people made typing errors and signed in then, beside a program that guesses', async () => {
    const server = await testServer()
    const users = usersIn(server.store)
    const hash = users.get(1)?.password ?? ''
    for (let n = 0; n < 20; n++) {
      addUser(users, { username: `person ${n}`, password: hash, role: 1, now: server.clock.now })
      await server.browser(attacker).signIn('admin', 'guess')
      await server.browser(attacker).signIn(`person ${n}`, 'typing error')
      await server.browser(attacker).signIn(`preson ${n}`, password)
      server.clock.now += 3000
      await signedIn(server, `person ${n}`, attacker)
    }
  })

  it('may sign in to none of them after four failures beside those of one account', async () => {
    const server = await testServer()
    const attempt = async (name: string, secret = 'wrong') =>
      (await server.browser(attacker).signIn(name, secret)).status
    for (const name of ['admin', 'a', 'b', 'c']) expect([name, await attempt(name)]).toEqual([name, 200])
    expect(await attempt('member', password)).toBe(200)
    // The sign-in has set names free that do not exist.
    for (const name of ['a', 'b', 'c', 'd']) expect([name, await attempt(name)]).toEqual([name, 200])
    expect(await attempt('member', password)).toBe(403)
    server.clock.now += 625_000
    expect(await attempt('member', password)).toBe(200)
  })

  it('cannot tell names that exist from others by what is blocked', async () => {
    const server = await testServer()
    const statuses = async (name: string) => {
      const browser = server.browser(attacker)
      return [await browser.signIn(name, 'wrong'), await browser.signIn(name, 'wrong')].map(({ status }) => status)
    }
    for (const name of ['admin', 'ghost', 'member']) expect([name, await statuses(name)]).toEqual([name, [200, 403]])
  })

  it('waits for a day and no longer after a failure, however many there were', async () => {
    const server = await testServer()
    const attempt = () => server.browser(attacker).signIn('admin', 'wrong')
    await attempt()
    for (let n = 0; n < 20; n++) {
      server.clock.now += 86_400_000
      expect((await attempt()).status).toBe(200)
    }
    server.clock.now += 86_399_000
    expect((await attempt()).status).toBe(403)
  })

  it('gets at most 13 guesses a day, and 9 at one account, as fast and in whatever order it asks', () => {
    expect(mostGuesses(1)).toBe(9)
    expect(mostGuesses(14)).toBe(13)
  })

  it('gets one more guess on each later day', () => {
    expect(mostGuesses(1, 3)).toBe(9 + 2)
    expect(mostGuesses(14, 3)).toBe(13 + 2)
  })
})

/** The most guesses in the first days of an address that tries so many accounts, over all orders. */
function mostGuesses(accounts: number, days = 1): number {
  let most = 0
  /** The earliest time at which a state was reached. */
  const seen = new Map<string, number>()
  const rowOf = (account: number, count: number, at: number): FailureRow => ({
    ip: attacker,
    ...failureOf({ kind: 'sign-in', account }),
    count,
    block_timestamp: at,
  })
  function guess(rows: readonly FailureRow[], now: number): void {
    most = Math.max(
      most,
      rows.reduce((sum, { count }) => sum + count, 0),
    )
    const known = rows.length < accounts ? [...rows, undefined] : rows
    for (const row of known) {
      const account = row?.block_identifier ?? rows.length + 1
      const at = blockFor(rows, { kind: 'sign-in', account }, now)?.until ?? now
      if (at >= days * 86_400) continue
      const next = [...rows.filter((one) => one !== row), rowOf(account, (row?.count ?? 0) + 1, at)]
      // Accounts differ in how often they failed and how long they are blocked, and in nothing else; the last one was now.
      const waits = next.map(
        ({ count, block_timestamp }) => `${count} ${Math.max(0, block_timestamp + pauseAfter(count) - at)}`,
      )
      const state = waits.sort().join()
      if ((seen.get(state) ?? Number.POSITIVE_INFINITY) <= at) continue
      seen.set(state, at)
      guess(next, at)
    }
  }
  guess([], 0)
  return most
}
