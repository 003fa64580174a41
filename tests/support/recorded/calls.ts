import type { IncomingHttpHeaders } from 'node:http'
import { type Recorded, type Row, replyTo, routeOf } from './dialects.ts'
import type { Sessions } from './session.ts'
import type { State } from './state.ts'

export interface Call {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: unknown
}

export interface Answer {
  status: number
  body: unknown
  cookies?: string[]
}

/** Who may sign in here, as in the recordings. */
export const account = { username: 'admin', password: 'admin' }

const good = (data?: unknown): Answer => ({ status: 200, body: { success: true, ...(data !== undefined && { data }) } })
const bad = (error: string, status = 200): Answer => ({ status, body: { error } })
const nowhere = () => bad('404 Not Found', 404)

/** Whether a call needs no session. */
const isPublic = (route: string) => route === 'login' || route === 'setting'

/**
 * Answers calls as the recorded build would: what changes from the state, everything else from the recordings.
 * @param onUnknown called with calls that no recording has
 */
export function createCalls(recorded: Recorded, state: State, sessions: Sessions, onUnknown: (call: string) => void) {
  return function answer(call: Call): Answer {
    const { method, path, headers, body } = call
    const route = routeOf(path)
    if (route === 'login' && method === 'POST') return signIn(body)
    if (!isPublic(route) && !sessions.isSignedIn(headers)) return bad('ApiErrorUnauthorized')
    if (method === 'GET') {
      return renewed(call, route) ?? { ...read(call, route), cookies: isPublic(route) ? [] : sessions.seed(headers) }
    }
    const recordedReply = replyTo(recorded, method, path)
    if (recordedReply?.response.status === 404) return nowhere()
    if (!sessions.mayWrite(headers)) return bad('ApiErrorForbidden: missing or invalid CSRF token', 403)
    return renewed(call, route) ?? write(call, route)
  }

  function signIn(body: unknown): Answer {
    const { username, password } = body as typeof account
    if (username !== account.username || password !== account.password) return bad('ApiErrorUnauthorized')
    const { data, cookies } = sessions.open()
    return { ...good(data), cookies }
  }

  /** A renewal, where the recordings say that this verb is the right one. */
  function renewed({ method, path }: Call, route: string): Answer | undefined {
    if (route !== 'refresh-token' || replyTo(recorded, method, path)?.response.status !== 200) return undefined
    const { data, cookies } = sessions.open()
    return { ...good(data), cookies }
  }

  function read({ path, headers }: Call, route: string): Answer {
    if (route === 'setting') return good(sessions.isSignedIn(headers) ? state.readSetting() : anonymousSetting())
    if (!state.isList(route)) return asRecorded('GET', path)
    const rows = state.read(route)
    if (route !== 'waf' && route !== 'online-user') return good(rows.length > 0 ? rows : undefined)
    const query = new URL(path, 'http://x').searchParams
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit')) || 25]
    const value = rows.slice(offset, offset + limit)
    const pagination = { ...(offset && { offset }), limit, ...(rows.length > 0 && { total: rows.length }) }
    return good({ ...(value.length > 0 && { value }), pagination })
  }

  function anonymousSetting(): Row {
    const { config } = state.readSetting() as { config: Row }
    const { language, site_name } = config
    return { config: { language, site_name, ip_change_notification_group_id: 0, cover: 0 } }
  }

  function write({ method, path, body }: Call, route: string): Answer {
    const [first = '', second] = route.split('/')
    if (route === 'setting' && method === 'PATCH') {
      state.updateSetting(body as Row)
      return good()
    }
    if (first === 'batch-delete' && second && state.writes(second)) {
      state.remove(second, body as unknown[])
      return good()
    }
    if (method === 'POST' && state.writes(route)) return good(state.create(route, body as Row))
    if (method === 'PATCH' && second === ':id' && state.writes(first)) {
      const id = Number(path.split('/').at(-1))
      if (!state.update(first, id, body as Row)) return bad(`${first} id ${id} does not exist`)
      return good(first === 'alert-rule' ? id : undefined)
    }
    return asRecorded(method, path)
  }

  function asRecorded(method: string, path: string): Answer {
    const recordedReply = replyTo(recorded, method, path)
    if (!recordedReply) onUnknown(`${method} ${path}`)
    return recordedReply ? { status: recordedReply.response.status, body: recordedReply.response.body } : nowhere()
  }
}
