import { beforeEach, describe, expect, it, vi } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { password, testServer } from '../../support/server/testServer.ts'

/** The hashes that passwords were compared with. */
const compared: string[] = []

vi.mock('../../../server/auth/passwords/password.ts', async (original) => {
  const real = await original<typeof import('../../../server/auth/passwords/password.ts')>()
  return {
    ...real,
    verifyPassword: (given: string, stored: string) => {
      compared.push(stored)
      return real.verifyPassword(given, stored)
    },
  }
})

beforeEach(() => {
  compared.length = 0
})

/** What a hash costs: memory, passes, lanes, and its length. */
const costOf = (hash: string) => [/m=\d+,t=\d+,p=\d+/.exec(hash)?.[0], hash.split('$').at(-1)?.length]

describe('the work of a refused sign-in', () => {
  it.each([
    ['a name that exists', 'admin', 'wrong'],
    ['a name that does not', 'ghost', 'wrong'],
    ['an account without passwords, and the right one', 'member', password],
  ])('is one hash of the usual cost for %s', async (_, name, given) => {
    const server = await testServer()
    usersIn(server.store).update(2, { reject_password: true })
    const usual = costOf(usersIn(server.store).get(1)?.password ?? '')
    const reply = await server.browser('198.51.100.1').signIn(name, given)
    expect(reply.body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect(compared.map(costOf)).toEqual([usual])
  })

  it('is none for a blocked address', async () => {
    const server = await testServer()
    await server.browser('198.51.100.1').signIn('admin', 'wrong')
    compared.length = 0
    await server.browser('198.51.100.1').signIn('admin', 'wrong')
    expect(compared).toEqual([])
  })
})
