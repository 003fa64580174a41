import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../server/auth/auth.ts'
import {
  createHashQueue,
  hashPassword,
  isImportable,
  isOutdated,
  recommendedCost,
  verifyPassword,
} from '../../../server/auth/passwords/password.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { password, signedIn, testServer } from '../../support/server/testServer.ts'

/** argon2id of "correct horse" with 8 MiB and one pass. */
const cheapHash = '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'

describe('a stored password', () => {
  it('is a salted argon2id hash at the cost that OWASP recommends', async () => {
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
    // Tests of other things hash for less; a server does so only when it is started so.
    const { store } = await testServer()
    expect(createAuth({ store, now: Date.now }).passwordCost).toEqual(recommendedCost)
  })

  it('matches the password and no other', async () => {
    const hash = await hashPassword('päßword')
    expect(await verifyPassword('päßword', hash)).toBe(true)
    for (const other of ['', 'päßword ', 'PÄSSWORD', 'päßwor']) expect(await verifyPassword(other, hash)).toBe(false)
  })

  it('of a lower cost still matches, and is replaced at the next sign-in', async () => {
    const server = await testServer({ passwordCost: recommendedCost })
    const users = usersIn(server.store)
    users.update(1, { password: cheapHash })
    expect(isOutdated(cheapHash)).toBe(true)
    await signedIn(server)
    const renewed = users.get(1)?.password ?? ''
    expect(isOutdated(renewed)).toBe(false)
    expect(await verifyPassword(password, renewed)).toBe(true)
  })

  it('that is invalid is an error, not a sign-in', async () => {
    await expect(verifyPassword('x', 'x')).rejects.toThrow('not one of argon2id')
  })
})

describe('hashing', () => {
  it('runs one task per address and a limited number in all, those of one address in order', async () => {
    const queue = createHashQueue(2)
    const log: string[] = []
    let running = 0
    let most = 0
    const piece = (key: string, name: string) =>
      queue.run(key, async () => {
        most = Math.max(most, ++running)
        log.push(`${name}+`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        log.push(`${name}-`)
        running--
      })
    await Promise.all([piece('a', 'a1'), piece('a', 'a2'), piece('b', 'b1'), piece('c', 'c1'), piece('a', 'a3')])
    expect(most).toBe(2)
    expect(log.indexOf('a1-')).toBeLessThan(log.indexOf('a2+'))
    expect(log.indexOf('a2-')).toBeLessThan(log.indexOf('a3+'))
    expect(log).toHaveLength(10)
  })

  it('runs tasks with priority first, then the latest: many at once do not delay those that come after them', async () => {
    const queue = createHashQueue(1)
    const order: string[] = []
    const piece = (key: string, hasPriority = false) => queue.run(key, async () => void order.push(key), hasPriority)
    const crowd = Array.from({ length: 5 }, (_, index) => piece(`other ${index}`))
    await Promise.all([...crowd, piece('priority', true), piece('priority too', true), piece('latest')])
    expect(order).toEqual(['other 0', 'priority', 'priority too', 'latest', 'other 4', 'other 3', 'other 2', 'other 1'])
  })

  it('continues after a task that failed', async () => {
    const queue = createHashQueue(1)
    const failed = queue.run('a', async () => {
      throw new Error('no memory')
    })
    const next = queue.run('a', async () => 'done')
    await expect(failed).rejects.toThrow('no memory')
    expect(await next).toBe('done')
  })

  it('are verified as other products have made them, and replaced when they are next sent', async () => {
    const hash = '$2a$10$0.CFAeAWFG2A55HwOJvSiOnJGsVJRKlm3IRvDbLaD4w1BBg7Rjocm'
    expect(await verifyPassword('admin', hash)).toBe(true)
    expect(await verifyPassword('admin ', hash)).toBe(false)
    expect(isOutdated(hash)).toBe(true)
    // One that would take hours.
    expect(isImportable(hash.replace('$10$', '$31$'))).toBe(false)
    expect(await verifyPassword('', '')).toBe(false)
  })
})
