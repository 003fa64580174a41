import type { QueryClient } from '@tanstack/react-query'
import type { AuthProvider } from 'ra-core'
import { call, endOwnSession } from './api/apiClient.ts'
import { allows } from './schemas/define/access.ts'
import type { Verb } from './schemas/define/entity.ts'
import { endpoints } from './schemas/endpoints/index.ts'
import { entityNamed } from './schemas/index.ts'
import type { Setting } from './schemas/settings/setting.ts'
import { type CurrentUser, setCurrentUser, userFromProfile } from './session/currentUser.ts'
import { goToSignIn } from './session/navigation.ts'
import { endSession, signOut } from './session/sessionGate.ts'
import { hasSession } from './session/token.ts'

const verbOf: Readonly<Record<string, Verb>> = { create: 'create', edit: 'update', delete: 'delete' }

/** Where `useGetIdentity` keeps its answer. */
const identityKey = ['auth', 'getIdentity']

/** Never resolves: the page is being left, and no caller may continue. */
const neverResolves = () => new Promise<never>(() => {})

/**
 * Signing in happens outside react-admin, on the login page or in the dialog above the screens; this says who is
 * signed in and what they may do. 'permission denied' never signs anybody out.
 * @param queryClient its cached settings say what the server supports
 * @param signedIn who is signed in, when that was asked before the console started
 */
export function createAuthProvider(
  queryClient: QueryClient,
  signedIn?: CurrentUser,
  lookUp = entityNamed,
): AuthProvider {
  let person = signedIn && Promise.resolve(signedIn)
  // Never stale: the page is reloaded when another user signs in.
  queryClient.setQueryDefaults(identityKey, { staleTime: Number.POSITIVE_INFINITY })
  if (signedIn) queryClient.setQueryData(identityKey, signedIn)
  const whoIs = () => {
    person ??= call(endpoints.profile).then((profile) => {
      const found = userFromProfile(profile)
      setCurrentUser(found)
      return found
    })
    person.catch(() => {
      person = undefined
    })
    return person
  }
  return {
    login: () => Promise.resolve(),
    // Without a token the session has ended while the page was open; the screens stay.
    checkAuth: async () => {
      if (!hasSession()) void endSession()
    },
    // Comes here only when a call was refused again right after a sign-in: see apiClient.
    checkError: ({ status }) => {
      if (status !== 401) return Promise.resolve()
      goToSignIn()
      return neverResolves()
    },
    logout: async () => {
      const setting = queryClient.getQueryData<Setting>(['setting'])
      // Other servers have no such call: only the cookies are deleted.
      if (setting?.wheelhouse?.sessions && hasSession()) await endOwnSession()
      signOut()
      return neverResolves()
    },
    getIdentity: whoIs,
    canAccess: async ({ resource, action }) => {
      const entity = lookUp(resource)
      if (!entity) return true
      const verb = verbOf[action] ?? 'list'
      // An older server may show the list to members: only its reply tells.
      const rule = verb === 'list' && entity.api.membersOfOldServers ? 'user' : entity.access[verb]
      return allows((await whoIs()).role, rule)
    },
  }
}
