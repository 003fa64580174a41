import type { AuthProvider, UserIdentity } from 'ra-core'
import { call } from './apiClient.ts'
import { allows } from './schemas/access.ts'
import { endpoints } from './schemas/endpoints.ts'
import type { Verb } from './schemas/entity.ts'
import { entityNamed } from './schemas/index.ts'
import { clearCookies, hasSession, loginAddress } from './session.ts'

/** Who is signed in, as screens see it. */
export interface Person extends UserIdentity {
  role: number
  loginIp?: string
}

const verbOf: Readonly<Record<string, Verb>> = { create: 'create', edit: 'update', delete: 'delete' }

/** Leads away from the console. The promise stays open: what asked is gone with the page. */
function leave(reason: Parameters<typeof loginAddress>[0]): Promise<never> {
  window.location.assign(loginAddress(reason))
  return new Promise(() => {})
}

/**
 * Signing in happens on the login page, outside react-admin; this says who is signed in and what they may do,
 * and leads back to the login page when a session is over. 'permission denied' never signs anybody out.
 */
export function createAuthProvider(onLeave: () => void = () => {}, lookUp = entityNamed): AuthProvider {
  let person: Promise<Person> | undefined
  const whoIs = () => {
    person ??= call(endpoints.profile).then(({ id, username, role, login_ip }) => ({
      id,
      role,
      fullName: username,
      loginIp: login_ip,
    }))
    person.catch(() => {
      person = undefined
    })
    return person
  }
  return {
    login: () => Promise.resolve(),
    checkAuth: () => (hasSession() ? Promise.resolve() : leave('first')),
    checkError: ({ status }) => {
      if (status !== 401) return Promise.resolve()
      onLeave()
      return leave('ended')
    },
    logout: () => {
      clearCookies()
      onLeave()
      return leave('left')
    },
    getIdentity: whoIs,
    canAccess: async ({ resource, action }) => {
      const entity = lookUp(resource)
      return !entity || allows((await whoIs()).role, entity.access[verbOf[action] ?? 'list'])
    },
  }
}
