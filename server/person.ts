import { type Role, roles } from '../src/schemas/define/access.ts'

/** The signed-in user behind a request. */
export interface Person {
  id: number
  username: string
  role: Role
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard; `undefined` when nobody is signed in. */
    person?: Person
  }
}

export const isAdmin = (person: Person | undefined) => person?.role === roles.admin

/**
 * Whether records of an owner may do anything: be run, checked or sent. Those of a deleted user may not; those without
 * an owner (0) may.
 * @param roleOf a user's role; `undefined` when the user no longer exists
 */
export const mayAct = (ownerId: number, roleOf: (id: number) => number | undefined) =>
  ownerId === 0 || roleOf(ownerId) !== undefined

/**
 * Whether a person may see and change a record: its owner and administrators may
 * (docs/contract/CONTRACT.md#4-who-may-call-what).
 */
export const owns = (person: Person | undefined, record: { user_id: number }) =>
  isAdmin(person) || (person !== undefined && person.id === record.user_id)
