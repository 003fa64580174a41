import { describe, expect, it } from 'vitest'
import { createHashQueue } from '../../../server/auth/passwords/hashQueue.ts'
import { hashPassword, isOutdated, verifyPassword } from '../../../server/auth/passwords/password.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { password, signedIn, testServer } from '../../support/server/testServer.ts'

/** argon2id of "correct horse" with 8 MiB and one pass. */
const cheapHash = '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'

describe('a stored password', () => {
  it('is an argon2id hash at the cost that OWASP advises, salted', async () => {
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
  })

  it('fits the password and no other', async () => {
    const hash = await hashPassword('päßword')
    expect(await verifyPassword('päßword', hash)).toBe(true)
    for (const other of ['', 'päßword ', 'PÄSSWORD', 'päßwor']) expect(await verifyPassword(other, hash)).toBe(false)
  })

  it('of a lower cost still fits, and is hashed anew at the next sign-in', async () => {
    const server = await testServer()
    const users = usersIn(server.store)
    users.update(1, { password: cheapHash })
    expect(isOutdated(cheapHash)).toBe(true)
    await signedIn(server)
    const renewed = users.get(1)?.password ?? ''
    expect(isOutdated(renewed)).toBe(false)
    expect(await verifyPassword(password, renewed)).toBe(true)
  })

  it('that is none is an error, not a sign-in', async () => {
    await expect(verifyPassword('x', 'x')).rejects.toThrow('not one of argon2id')
  })
})

describe('hashing', () => {
  it('runs one piece per address and so many in all, those of an address in the order they came', async () => {
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

  it('takes whoever is known first, then the latest stranger: a crowd makes nobody wait who comes after it', async () => {
    const queue = createHashQueue(1)
    const order: string[] = []
    const piece = (key: string, isKnown = false) => queue.run(key, async () => void order.push(key), isKnown)
    const crowd = Array.from({ length: 5 }, (_, index) => piece(`stranger ${index}`))
    await Promise.all([...crowd, piece('known', true), piece('known too', true), piece('latest')])
    expect(order).toEqual([
      ...['stranger 0', 'known', 'known too', 'latest'],
      ...['stranger 4', 'stranger 3', 'stranger 2', 'stranger 1'],
    ])
  })

  it('goes on after a piece that failed', async () => {
    const queue = createHashQueue(1)
    const failed = queue.run('a', async () => {
      throw new Error('no memory')
    })
    const next = queue.run('a', async () => 'done')
    await expect(failed).rejects.toThrow('no memory')
    expect(await next).toBe('done')
  })
})
