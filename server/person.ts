import { type Right, type Role, roles } from '../src/schemas/define/access.ts'

/** The API token of a request: what its owner lets it do. */
export interface TokenRights {
  id: number
  name: string
  scopes: readonly string[]
  /** The servers to which it is limited; absent when it is not. */
  servers?: ReadonlySet<number>
}

/** What somebody's further roles let them do, as they are at the moment of the question. */
export interface Grants {
  /** Whether they give a right on all of these servers; on `all` only when a role has it for all. */
  has(right: Right, servers: ReachedServers): boolean
  /** The teams that they are in: what belongs to these is theirs, too. */
  teams(): ReadonlySet<number>
}

/** The user behind a request: signed in, or the owner of the API token. */
export interface Person {
  id: number
  username: string
  role: Role
  /** The API token that the request has in place of a session. */
  token?: TokenRights
  /** Their further roles; absent where these do not count, as for messages to what somebody owns. */
  grants?: Grants
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard; `undefined` when nobody is signed in. */
    person?: Person
  }
}

/** Who is behind a request whose route is closed to others. @throws Error where the route has no such guard */
export function personOf({ person }: { person?: Person }): Person {
  if (!person) throw new Error('The guard of this route lets strangers pass.')
  return person
}

/** The servers that a record is about: their ids, or `all` when it reaches servers that it does not name. */
export type ReachedServers = readonly number[] | 'all'

/** Whether somebody may see and do everything. A token that is limited to some servers may not, whoever owns it. */
export const isAdmin = (person: Person | undefined) => person?.role === roles.admin && !person.token?.servers

/**
 * Whose a record is, in its column `user_id`: a person by their id, nobody (0), or a team by its id below 0. So teams
 * have records, quotas and messages as a member has, wherever owners are compared (docs/decisions/team-records.md).
 */
export const ownerOfTeam = (team: number): number => -team

/** The team that is an owner; 0 for a person or nobody. */
export const teamOfOwner = (ownerId: number): number => Math.max(0, -ownerId)

/** The person who is responsible for a record: its owner, or who made it for a team or gave it to one; 0 for nobody. */
export const makerOf = ({ user_id, made_by }: { user_id: number; made_by?: number }): number =>
  teamOfOwner(user_id) > 0 ? (made_by ?? 0) : user_id

/** Whether what belongs to an owner is a person's: it is their own, or that of a team that they are in. */
export const isOwner = (person: Person | undefined, ownerId: number): boolean =>
  person !== undefined &&
  (person.id === ownerId || (teamOfOwner(ownerId) > 0 && person.grants?.teams().has(teamOfOwner(ownerId)) === true))

/** The owners whose records are a person's: themselves, and the teams that they are in. */
export const ownersOf = (person: Person | undefined): number[] =>
  person ? [person.id, ...[...(person.grants?.teams() ?? [])].map(ownerOfTeam)] : []

/**
 * Whether records of an owner may do anything: be run, checked or sent. Those of a deleted user may not; those of a team
 * and those without an owner (0) may.
 * @param roleOf an owner's role; `undefined` when the user or the team no longer exists
 */
export const mayAct = (ownerId: number, roleOf: (id: number) => number | undefined) =>
  ownerId === 0 || roleOf(ownerId) !== undefined

/**
 * Whether records of an owner may use a record that they name, such as a notifier group. Those of a team and those of
 * somebody else keep apart, also where one of both was given away after it was named. Administrators use everything, and
 * what is theirs may be used by all whom they let name it.
 * @param roleOf as for `mayAct`
 */
export function mayUse(ownerId: number, record: { user_id: number }, roleOf: (id: number) => number | undefined) {
  if (ownerId === record.user_id || (teamOfOwner(ownerId) === 0 && teamOfOwner(record.user_id) === 0)) return true
  return [ownerId, record.user_id].some((id) => id === 0 || roleOf(id) === roles.admin)
}

/**
 * Whom the owner of a record stands for where something is sent to it: they see what they would see signed in; a team
 * sees what is its own. Records without an owner (0) are those of who set up the server.
 * @param roleOf as for `mayAct`
 */
export const ownerAsPerson = (id: number, roleOf: (id: number) => Role | undefined): Person => ({
  id,
  username: '',
  role: id === 0 ? roles.admin : (roleOf(id) ?? roles.user),
})

/** Whether nothing about these servers is kept from a person by the limits of a token. */
export function mayReach(person: Person | undefined, servers: ReachedServers): boolean {
  const allowed = person?.token?.servers
  return !allowed || (servers !== 'all' && servers.every((id) => allowed.has(id)))
}

/**
 * Whether a person may see and change a record: its owner, who is in the team that it belongs to, and administrators may
 * (docs/contract/CONTRACT.md#4-who-may-call-what). Further roles do not count: where they do, ask `may`.
 * @param servers those that the record is about: a token that is limited to some servers needs all of them. Without
 *   them, the record is closed to such tokens
 */
export const owns = (
  person: Person | undefined,
  record: { user_id: number },
  servers: ReachedServers = 'all',
): boolean =>
  person !== undefined && (person.role === roles.admin || isOwner(person, record.user_id)) && mayReach(person, servers)

/**
 * Whether a person has a right on a record of others, by a further role, or owns it: the one place that decides what
 * such roles mean (docs/decisions/roles.md).
 * @param servers those that the record is about; a role counts when it gives the right on all of them
 */
export const may = (
  person: Person | undefined,
  right: Right,
  record: { user_id: number },
  servers: ReachedServers,
): boolean =>
  owns(person, record, servers) || (mayReach(person, servers) && person?.grants?.has(right, servers) === true)
