import { type Role, roles } from '../src/schemas/define/access.ts'

/** Who a request comes from, once a guard has let it in. */
export interface Person {
  id: number
  username: string
  role: Role
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard; nobody is signed in when it is undefined. */
    person?: Person
  }
}

export const isAdmin = (person: Person | undefined) => person?.role === roles.admin

/**
 * Whether a record is this person's to see and change; admins own everything
 * (docs/contract/CONTRACT.md#4-who-may-call-what).
 */
export const owns = (person: Person | undefined, record: { user_id: number }) =>
  isAdmin(person) || (person !== undefined && person.id === record.user_id)
