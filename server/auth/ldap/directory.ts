import { randomBytes } from 'node:crypto'
import type { LdapSettings } from '../../../src/schemas/account/ldapSettings.ts'
import type { SignInTestResult } from '../../../src/schemas/endpoints/signInProviderEndpoints.ts'
import {
  type BindResult,
  connectToDirectory,
  type DirectoryConnection,
  DirectoryError,
  directoryLimits,
} from './connection.ts'
import type { Entry } from './replies.ts'

/** A directory, as an administrator has described it. */
export interface Directory extends LdapSettings {
  /** The password of `bind_dn`. */
  secret: string
}

/** Somebody whom a directory has let in. */
export interface DirectoryPerson {
  /** Stays the same when the person is renamed or moved. */
  subject: string
  username: string
  /** `undefined` when the directory is not asked for groups. */
  groups: string[] | undefined
}

export type DirectorySignIn = { result: 'good'; person: DirectoryPerson } | { result: Exclude<BindResult, 'good'> }

/** What somebody types to sign in. */
interface Typed {
  username: string
  password: string
}

/** Characters of a name and a password: more belongs to nobody. */
const longest = { username: 256, password: 1024 } as const

/**
 * Lets a directory check a name and a password. Each attempt has a connection of its own.
 * @throws DirectoryError when it does not work, which says nothing about the password
 */
export async function signInAtDirectory(directory: Directory, { username, password }: Typed): Promise<DirectorySignIn> {
  if (!isUsable({ username, password })) return { result: 'refused' }
  return withConnection(directory, async (connection) => {
    const entry = directory.user_pattern
      ? await enterByPattern(connection, directory, username, password)
      : await enterBySearch(connection, directory, username, password)
    if (typeof entry === 'string') return { result: entry }
    const person = { subject: readSubject(entry, directory), username: readUsername(entry, directory) }
    return {
      result: 'good',
      person: { ...person, groups: await readGroups(connection, directory, entry, person.username) },
    }
  })
}

/**
 * Takes the steps of a sign-in that is refused, with a name and a password that nobody has: for whom the directory cannot
 * know, and whose password is none of its business.
 * @throws DirectoryError
 */
export async function tryNobody(directory: Directory, typed: Typed): Promise<DirectorySignIn> {
  const madeUp = { username: randomBytes(8).toString('hex'), password: randomBytes(16).toString('hex') }
  await signInAtDirectory(directory, isUsable(typed) ? madeUp : typed)
  return { result: 'refused' }
}

/** Whether a directory is asked at all. To some a password ends at a NUL, and without a password everybody is let in. */
const isUsable = ({ username, password }: Typed) =>
  username !== '' &&
  password !== '' &&
  username.length <= longest.username &&
  password.length <= longest.password &&
  !/\p{Cc}/u.test(username) &&
  !password.includes('\0')

/** How many entries a search finds; `more` when it was cut off. */
interface Found {
  found: number
  more: boolean
}

/** What a directory says when it is asked for everybody, in the terms of its protocol. */
export async function testLdap(directory: Directory): Promise<SignInTestResult> {
  try {
    const found = await testDirectory(directory)
    const answers = Object.entries(found).map(([name, { found, more }]) => ({
      name,
      value: more ? `> ${found}` : String(found),
    }))
    return { answers: [{ name: 'connection', value: directory.start_tls ? 'StartTLS' : directory.url }, ...answers] }
  } catch (error) {
    if (error instanceof DirectoryError) return { failure: error.message, answers: [] }
    throw error
  }
}

/**
 * Tries what can be tried without the password of a person: the way there, the service account, and whom the searches
 * find. Without a service account only the way there is tried.
 * @throws DirectoryError
 */
export function testDirectory(directory: Directory): Promise<{ people?: Found; groups?: Found }> {
  return withConnection(directory, async (connection) => {
    if (directory.bind_dn === '') return {}
    await enterAsService(connection, directory)
    const count = (base: string, filter: string) =>
      connection.count({ base, scope: 'sub', filter: filter.replaceAll(/\{\w+\}/g, '*') })
    const people = await count(directory.base, directory.user_filter)
    if (directory.group_filter === '') return { people }
    return { people, groups: await count(directory.group_base || directory.base, directory.group_filter) }
  })
}

async function withConnection<T>(
  directory: Directory,
  work: (connection: DirectoryConnection) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(directoryLimits.seconds * 1000)
  const { url, start_tls, ca } = directory
  const connection = await connectToDirectory({ url, startTls: start_tls, ca }, signal)
  try {
    return await work(connection)
  } finally {
    connection.close()
  }
}

async function enterAsService(connection: DirectoryConnection, { bind_dn, secret }: Directory): Promise<void> {
  if (bind_dn === '') return
  const result = await connection.bind(bind_dn, secret)
  if (result === 'expired') throw new DirectoryError('the password of the service account has expired: change it there')
  if (result === 'refused') throw new DirectoryError('it does not accept the service account')
}

/** Signs in with a name that is made of what was typed, and reads the entry with the rights of that person. */
async function enterByPattern(
  connection: DirectoryConnection,
  directory: Directory,
  username: string,
  password: string,
): Promise<Entry | Exclude<BindResult, 'good'>> {
  const isDn = directory.user_pattern.includes('=')
  const name = directory.user_pattern.replaceAll('{username}', () => (isDn ? escapeDnValue(username) : username))
  const result = await connection.bind(name, password)
  if (result !== 'good') return result
  // Of a DN it is this entry and no other; `name@example.org` says nothing about where its entry is.
  if (!isDn) return (await findPerson(connection, directory, username)) ?? 'refused'
  const [entry] = await connection.search({
    base: name,
    scope: 'base',
    filter: '(objectClass=*)',
    attributes: attributesOf(directory),
  })
  return entry ?? 'refused'
}

/** Searches the entry with the service account, and signs in with its DN. */
async function enterBySearch(
  connection: DirectoryConnection,
  directory: Directory,
  username: string,
  password: string,
): Promise<Entry | Exclude<BindResult, 'good'>> {
  await enterAsService(connection, directory)
  const entry = await findPerson(connection, directory, username)
  // Nobody with this name costs the same steps, so that the time does not say who is in the directory.
  const result = await connection.bind(entry?.dn ?? `cn=nobody,${directory.base}`, password)
  if (!entry) return 'refused'
  if (result !== 'good') return result
  // The group search has the rights of the service account, too.
  if (directory.group_filter !== '') await enterAsService(connection, directory)
  return entry
}

/** @throws DirectoryError when the name is that of several: who of them it is cannot be known */
async function findPerson(
  connection: DirectoryConnection,
  directory: Directory,
  username: string,
): Promise<Entry | undefined> {
  const entries = await connection.search({
    base: directory.base,
    scope: 'sub',
    filter: directory.user_filter.replaceAll('{username}', () => escapeFilterValue(username)),
    attributes: attributesOf(directory),
  })
  if (entries.length > 1) throw new DirectoryError(`${entries.length} entries have one and the same name`)
  const [entry] = entries
  if (entry?.dn === '') throw new DirectoryError('it finds an entry without a DN')
  return entry
}

const attributesOf = ({ id_attribute, username_attribute, member_of }: Directory): string[] => [
  id_attribute,
  username_attribute,
  ...(member_of ? ['memberOf'] : []),
]

/** Ids that are bytes and no text. */
const binaryIds = ['objectguid', 'objectsid']

function readSubject(entry: Entry, { id_attribute }: Directory): string {
  const name = id_attribute.toLowerCase()
  const [value, ...others] = entry.attributes.get(name) ?? []
  if (!value || value.length === 0 || value.length > 255 || others.length > 0) {
    throw new DirectoryError(`an entry has not exactly one "${id_attribute}", by which people are known again`)
  }
  return value.toString(binaryIds.includes(name) ? 'hex' : 'utf8')
}

function readUsername(entry: Entry, { username_attribute }: Directory): string {
  const [value] = entry.attributes.get(username_attribute.toLowerCase()) ?? []
  if (!value || value.length === 0) throw new DirectoryError(`an entry has no "${username_attribute}"`)
  return value.toString('utf8')
}

/** The names of the groups: their DN, and below the base for groups the name alone as well. */
async function readGroups(
  connection: DirectoryConnection,
  directory: Directory,
  entry: Entry,
  username: string,
): Promise<string[] | undefined> {
  const { member_of, group_filter, group_base } = directory
  if (member_of) {
    // Active Directory gives long lists in parts: what is in the others must not be taken away.
    if ([...entry.attributes.keys()].some((name) => name.startsWith('memberof;range='))) {
      throw new DirectoryError('it gives only a part of the groups of a person: set groups to a search')
    }
    const names = (entry.attributes.get('memberof') ?? []).map((value) => value.toString('utf8'))
    if (names.length > directoryLimits.entries) throw new DirectoryError('a person is in more than 10,000 groups')
    return names.flatMap((dn) => (group_base !== '' && isBelow(dn, group_base) ? [dn, firstValueOf(dn)] : [dn]))
  }
  if (group_filter === '') return undefined
  const found = await connection.search({
    base: group_base || directory.base,
    scope: 'sub',
    filter: group_filter
      .replaceAll('{dn}', () => escapeFilterValue(entry.dn))
      .replaceAll('{username}', () => escapeFilterValue(username)),
    attributes: ['1.1'],
  })
  return found.flatMap(({ dn }) => [dn, firstValueOf(dn)])
}

/**
 * A value in a filter, of which no character has a meaning there (RFC 4515).
 * @example escapeFilterValue('*)(uid=*') // '\\2a\\29\\28uid=\\2a'
 */
const escapeFilterValue = (value: string): string => value.replace(/[\\*()\0]/g, (character) => `\\${hexOf(character)}`)

/**
 * A value in a DN, of which no character has a meaning there (RFC 4514).
 * @example escapeDnValue('a,ou=admins') // 'a\\2cou\\3dadmins'
 */
const escapeDnValue = (value: string): string =>
  value.replace(/[\\,+"<>;=#\0]|^ | $/g, (character) => `\\${hexOf(character)}`)

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')

/** The parts of a DN, the innermost first, in lower case and without the spaces around them: to compare, not to send. */
const partsOf = (dn: string): string[] =>
  (dn.match(/(?:\\.|[^\\,;])+/gs) ?? []).map((part) =>
    part
      .trim()
      .replace(/\s*=\s*/, '=')
      .toLowerCase(),
  )

/** Whether an entry is somewhere below another one. */
function isBelow(dn: string, base: string): boolean {
  const [parts, above] = [partsOf(dn), partsOf(base)]
  return above.length > 0 && parts.length > above.length && parts.slice(-above.length).join() === above.join()
}

/** The value of the first part of a DN: `admins` of `cn=admins,ou=groups,dc=example,dc=org`; '' without one. */
function firstValueOf(dn: string): string {
  const [, value = ''] = /^\s*[\w.-]+\s*=\s*((?:\\.|[^\\,;+])*)/s.exec(dn) ?? []
  return value
    .trim()
    .replace(/((?:\\[\da-f]{2})+)|\\(.)/gis, (_, bytes?: string, plain?: string) =>
      bytes === undefined ? (plain ?? '') : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'),
    )
}
