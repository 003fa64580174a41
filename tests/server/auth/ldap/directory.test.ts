import { describe, expect, it } from 'vitest'
import { type Directory, signInAtDirectory, testDirectory } from '../../../../server/auth/ldap/directory.ts'
import { createReplyReader } from '../../../../server/auth/ldap/replies.ts'
import { ldapProblem } from '../../../../server/auth/providers/kinds.ts'
import { ldapSettings } from '../../../../src/schemas/account/ldapSettings.ts'
import { holdDeadlines } from '../../../support/fakes/heldDeadlines.ts'
import { ber, type LdapEntry, ldapEntry, ldapResult, startLdapServer } from '../../../support/fakes/ldapServer.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { expectLessProcessorTime } from '../../../support/processorTime.ts'
import { selfSigned } from '../../../support/server/certificates/selfSigned.ts'

const base = 'dc=example,dc=org'
const service: LdapEntry = { dn: `cn=reader,${base}`, password: 'service-password', attributes: { cn: 'reader' } }
const alice: LdapEntry = {
  dn: `uid=alice,ou=people,${base}`,
  password: 'alice-password',
  attributes: {
    uid: 'alice',
    entryUUID: '11111111-0000-0000-0000-000000000001',
    memberOf: [`cn=operators,ou=groups,${base}`, `cn=operators,ou=elsewhere,${base}`],
  },
}
const operators: LdapEntry = {
  dn: `cn=operators,ou=groups,${base}`,
  attributes: { cn: 'operators', objectClass: 'groupOfNames', member: [alice.dn] },
}
const entries = [service, alice, operators]

function directoryAt(url: string, settings: Partial<Directory> = {}): Directory {
  const read = ldapSettings.parse({ url, base, bind_dn: service.dn, ca: selfSigned.cert, ...settings })
  return { ...read, secret: 'service-password', ...(settings.secret !== undefined && { secret: settings.secret }) }
}

const right = { username: 'alice', password: 'alice-password' }
const person = { subject: '11111111-0000-0000-0000-000000000001', username: 'alice' }

describe('a sign-in at a directory', () => {
  it.each([
    ['ldaps', { tls: true }, {}],
    ['StartTLS', {}, { start_tls: true }],
  ])('sends passwords by %s only', async (_, options, settings) => {
    const server = await startLdapServer({ entries, ...options })
    const directory = directoryAt(server.url, settings)
    expect(await signInAtDirectory(directory, right)).toEqual({
      result: 'good',
      person: { ...person, groups: undefined },
    })
    expect(await signInAtDirectory(directory, { ...right, password: 'wrong' })).toEqual({ result: 'refused' })
    expect(server.binds.map(({ isSecure }) => isSecure)).not.toContain(false)
  })

  it('may be in clear on this machine', async () => {
    const server = await startLdapServer({ entries })
    expect(await signInAtDirectory(directoryAt(server.url), right)).toMatchObject({ result: 'good' })
  })

  it('finds somebody who types the name in other letters under the name that the directory has', async () => {
    const server = await startLdapServer({ entries })
    const outcome = await signInAtDirectory(directoryAt(server.url), { ...right, username: 'ALICE' })
    expect(outcome).toMatchObject({ person: { username: 'alice' } })
  })

  it.each([
    ['without a password, with which a directory lets in everybody', { ...right, password: '' }],
    ['with a password that some directories would take for none', { ...right, password: '\0alice-password' }],
    ['without a name', { ...right, username: '' }],
    ['with a control character in the name', { ...right, username: 'alice\n' }],
    ['with a name that is too long', { ...right, username: 'a'.repeat(257) }],
  ])('is refused %s, and the directory is not asked', async (_, credentials) => {
    const server = await startLdapServer({ entries })
    expect(await signInAtDirectory(directoryAt(server.url), credentials)).toEqual({ result: 'refused' })
    expect(server.binds).toEqual([])
  })

  it.each(['*', 'alice)(uid=*', '*)(|(uid=*', 'ali\\63e', '(', 'alic*'])(
    'finds nobody by the name %s',
    async (username) => {
      const server = await startLdapServer({ entries })
      expect(await signInAtDirectory(directoryAt(server.url), { ...right, username })).toEqual({ result: 'refused' })
    },
  )

  it('takes the same steps for a name that nobody has', async () => {
    const server = await startLdapServer({ entries })
    await signInAtDirectory(directoryAt(server.url), { username: 'alice', password: 'wrong' })
    const steps = server.binds.length + server.searches.length
    await signInAtDirectory(directoryAt(server.url), { username: 'nobody', password: 'wrong' })
    expect(server.binds.length + server.searches.length).toBe(2 * steps)
  })

  it('is refused by an error when two entries have the name', async () => {
    const twin = { ...alice, dn: `uid=alice,ou=guests,${base}` }
    const server = await startLdapServer({ entries: [...entries, twin] })
    await expect(signInAtDirectory(directoryAt(server.url), right)).rejects.toThrow(
      '2 entries have one and the same name',
    )
  })

  it('is refused by an error when nothing tells a person from the next of that name', async () => {
    const server = await startLdapServer({ entries })
    const directory = directoryAt(server.url, { id_attribute: 'employeeNumber' })
    await expect(signInAtDirectory(directory, right)).rejects.toThrow('an entry has not exactly one "employeeNumber"')
  })

  it('says when the service account is not accepted', async () => {
    const server = await startLdapServer({ entries })
    const directory = directoryAt(server.url, { secret: 'old' })
    await expect(signInAtDirectory(directory, right)).rejects.toThrow('it does not accept the service account')
  })
})

describe('a sign-in by a pattern', () => {
  const pattern = { bind_dn: '', user_pattern: `uid={username},ou=people,${base}` }

  it('needs no service account', async () => {
    const server = await startLdapServer({ entries })
    const outcome = await signInAtDirectory(directoryAt(server.url, { ...pattern, member_of: true }), right)
    expect(outcome).toMatchObject({ result: 'good', person })
    expect(server.binds.map(({ dn }) => dn)).toEqual([alice.dn])
  })

  it('keeps a name in its place', async () => {
    const server = await startLdapServer({ entries })
    const username = 'alice,ou=admins'
    expect(await signInAtDirectory(directoryAt(server.url, pattern), { ...right, username })).toEqual({
      result: 'refused',
    })
    expect(server.binds.map(({ dn }) => dn)).toEqual([`uid=alice\\2cou\\3dadmins,ou=people,${base}`])
  })
})

describe('the groups of a person', () => {
  const groupsOf = async (settings: Partial<Directory>, all = entries) => {
    const server = await startLdapServer({ entries: all })
    const outcome = await signInAtDirectory(directoryAt(server.url, settings), right)
    return outcome.result === 'good' ? outcome.person.groups : outcome
  }

  it('are not known when the directory is not asked', async () => {
    expect(await groupsOf({})).toBeUndefined()
  })

  it('have their whole name, and below the base for groups the short one as well', async () => {
    const [ours, other] = alice.attributes.memberOf as string[]
    expect(await groupsOf({ member_of: true })).toEqual([ours, other])
    const group_base = `OU=Groups, ${base}`
    expect(await groupsOf({ member_of: true, group_base })).toEqual([ours, 'operators', other])
  })

  it('are searched by who is in them', async () => {
    expect(await groupsOf({ group_filter: '(member={dn})', group_base: `ou=groups,${base}` })).toEqual([
      operators.dn,
      'operators',
    ])
  })

  it('are none for somebody who is in none', async () => {
    const { memberOf: _, ...attributes } = alice.attributes
    expect(await groupsOf({ member_of: true }, [service, { ...alice, attributes }])).toEqual([])
  })

  it('may be ten thousand, and no more', async () => {
    const names = Array.from({ length: 10_001 }, (_, at) => `cn=group-${at},ou=groups,${base}`)
    const withGroups = (memberOf: string[]) => [service, { ...alice, attributes: { ...alice.attributes, memberOf } }]
    expect(await groupsOf({ member_of: true }, withGroups(names.slice(1)))).toHaveLength(10_000)
    await expect(groupsOf({ member_of: true }, withGroups(names))).rejects.toThrow('more than 10,000 groups')
  })

  it('are not taken from a list that the directory gives in parts', async () => {
    const attributes = { ...alice.attributes, memberOf: [], 'memberOf;range=0-1499': ['cn=a'] }
    await expect(groupsOf({ member_of: true }, [service, { ...alice, attributes }])).rejects.toThrow('only a part')
  })
})

describe('a directory that does not work', () => {
  it('costs little when it sends byte by byte', async () => {
    const entry = ldapEntry(1, { dn: base, attributes: { note: 'x'.repeat(60_000) } })
    await expectLessProcessorTime(1500, () => {
      const replies = createReplyReader(1024 ** 2)
      const read = Array.from(entry, (byte) => [...replies.add(Buffer.of(byte))]).flat()
      expect(read).toMatchObject([{ id: 1, kind: 'entry', entry: { dn: base } }])
      expect(replies.waiting()).toBe(0)
    })
  })

  it.each([
    ['closes the connection', (id: number) => [undefined, id] as const, 'closed the connection without an answer'],
    [
      'is busy',
      (id: number) => [ldapResult(id, 0x61, 51, 'try\nlater'), id] as const,
      'it answers "busy" (51): try later',
    ],
    [
      'sends people elsewhere',
      (id: number) => [ldapResult(id, 0x61, 10), id] as const,
      'another server is responsible',
    ],
    [
      'answers another request',
      (id: number) => [ldapResult(id + 1, 0x61, 0), id] as const,
      'answers what was not asked',
    ],
    ['answers a bind as a search', (id: number) => [ldapResult(id, 0x65, 0), id] as const, 'answers something else'],
    ['speaks no LDAP', () => [Buffer.from('HTTP/1.1 400 Bad Request\r\n'), 0] as const, 'the reply is no LDAP'],
    [
      'lies about a length',
      () => [ber(0x30, Buffer.from([2, 1, 1, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff])), 0] as const,
      'the reply is no LDAP',
    ],
    ['announces 2 GiB', () => [Buffer.from([0x30, 0x84, 0x7f, 0, 0, 0, 0]), 0] as const, 'it sends more than 8 MiB'],
  ])('lets nobody in, and says why, when it %s', async (_, reply, words) => {
    const server = await startLdapServer({
      entries,
      intercept(operation, socket, id) {
        const [bytes] = reply(id)
        if (bytes) socket.write(bytes)
        else socket.destroy()
        return operation === 'bind'
      },
    })
    await expect(signInAtDirectory(directoryAt(server.url), right)).rejects.toThrow(words)
  })

  it('does not hold up a sign-in for ever', async () => {
    const deadlines = holdDeadlines()
    const { port } = await startRawServer((socket) => socket.once('data', deadlines.pass))
    await expect(signInAtDirectory(directoryAt(`ldap://127.0.0.1:${port}`), right)).rejects.toThrow(
      'it did not answer within 10 seconds',
    )
    expect(deadlines.given).toEqual([10_000])
  })

  it('is not read for ever when its entries have no end', async () => {
    const server = await startLdapServer({
      entries,
      intercept(operation, socket, id) {
        if (operation !== 'search') return false
        socket.write(Buffer.concat(Array.from({ length: 10_001 }, () => ldapEntry(id, alice))))
        return true
      },
    })
    await expect(signInAtDirectory(directoryAt(server.url), right)).rejects.toThrow('more than 10,000 entries')
  })

  it('is refused when its certificate is of somebody else, before a password is sent', async () => {
    const server = await startLdapServer({ entries, tls: true })
    await expect(signInAtDirectory(directoryAt(server.url, { ca: '' }), right)).rejects.toThrow(
      'self-signed certificate',
    )
    expect(server.binds).toEqual([])
  })

  it('is refused when somebody adds to the answer before TLS begins', async () => {
    const server = await startLdapServer({
      entries,
      intercept(operation, socket, id) {
        if (operation !== 'startTls') return false
        socket.write(Buffer.concat([ldapResult(id, 0x78, 0), ldapResult(id + 1, 0x61, 0).subarray(0, 9)]))
        return true
      },
    })
    await expect(signInAtDirectory(directoryAt(server.url, { start_tls: true }), right)).rejects.toThrow('in between')
    expect(server.binds).toEqual([])
  })

  it('gets no password when it refuses StartTLS', async () => {
    const server = await startLdapServer({
      entries,
      intercept(operation, socket, id) {
        if (operation !== 'startTls') return false
        socket.write(ldapResult(id, 0x78, 52))
        return true
      },
    })
    await expect(signInAtDirectory(directoryAt(server.url, { start_tls: true }), right)).rejects.toThrow(
      'StartTLS is refused',
    )
    expect(server.binds).toEqual([])
  })
})

describe('the settings of a directory', () => {
  it.each([
    ['passwords in clear to another machine', { url: 'ldap://ldap.example.org' }, 'would be sent in clear'],
    ['an address of the web', { url: 'https://ldap.example.org' }, 'give ldaps:// or ldap://'],
    ['a path', { url: 'ldaps://ldap.example.org/dc=x' }, 'give ldaps:// or ldap://'],
    ['StartTLS beside ldaps', { url: 'ldaps://ldap.example.org', start_tls: true }, 'is for ldap:// only'],
    ['a filter that finds everybody', { user_filter: '(objectClass=person)' }, 'compares something with {username}'],
    ['a filter that is not closed', { user_filter: '(&(uid={username})' }, 'give a filter in brackets'],
    ['a pattern that is only the name', { user_pattern: '{username}' }, 'more than that'],
    ['groups from two places', { member_of: true, group_filter: '(member={dn})' }, 'choose one'],
    ['nobody who searches', { bind_dn: '' }, 'give a service account'],
    ['a list of attributes', { id_attribute: 'a, b' }, 'give the name of one attribute'],
  ])('are refused with %s', (_, settings, words) => {
    const given = { url: 'ldaps://ldap.example.org', base, bind_dn: 'cn=x', ...settings }
    expect(ldapProblem(ldapSettings.parse(given))).toContain(words)
  })
})

describe('the test of a directory', () => {
  it('says how many people and groups it finds', async () => {
    const server = await startLdapServer({ entries })
    const directory = directoryAt(server.url, { group_filter: '(member={dn})', group_base: `ou=groups,${base}` })
    expect(await testDirectory(directory)).toEqual({
      people: { found: 1, more: false },
      groups: { found: 1, more: false },
    })
  })
})
