/** Roles as the wire numbers them (docs/contract/CONTRACT.md#6-enumerations): 0 is an admin, 1 a member. */
export const roles = { admin: 0, user: 1 } as const

/** A role as it stands in a profile; servers up to v2.1.0 leave it out for admins. */
export type Role = number

/**
 * Who may use a verb or an endpoint: an admin, any signed-in person, visitors of the status page, or everybody. A server
 * started with `FORCE_AUTH` wants visitors to sign in; everybody includes those who have not done so yet.
 */
export type Rule = 'admin' | 'user' | 'visitor' | 'anyone'

/**
 * Says whether somebody may do what a rule guards. Screens ask it to hide, the server asks it to refuse.
 * @param role the person's role, or `undefined` when nobody is signed in
 */
export function allows(role: Role | undefined, rule: Rule): boolean {
  if (rule === 'anyone' || rule === 'visitor') return true
  if (role === undefined) return false
  return rule === 'user' || role === roles.admin
}
