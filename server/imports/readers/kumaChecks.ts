import type { CheckKind } from '../../../src/schemas/checks/checkKind.ts'
import { checkKinds } from '../../../src/schemas/checks/checks.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import { parseJsonPath } from '../../../src/schemas/formats/jsonPath.ts'
import type { ForeignRow } from '../../db/foreignDatabase.ts'
import { type ConnectionCheck, databaseCheckOf, grpcCheckOf, mqttCheckOf } from './kumaConnections.ts'
import { objectIn, textsIn } from './readRows.ts'

/** What a service is checked by. */
interface MonitorCheck {
  type: number
  target: string
  check?: object
}

/** The columns of a monitor that say how it is checked. */
export const checkColumns = [
  ...['url', 'hostname', 'port', 'method', 'headers', 'body', 'http_body_encoding', 'auth_method', 'basic_auth_user'],
  ...['basic_auth_pass', 'bearer_token', 'tls_cert', 'tls_key', 'accepted_statuscodes_json', 'maxredirects'],
  ...['ignore_tls', 'keyword', 'invert_keyword', 'json_path', 'json_path_operator', 'expected_value'],
  ...['dns_resolve_type', 'dns_resolve_server', 'smtp_security', 'database_connection_string'],
  ...['database_query', 'radius_password', 'conditions', 'mqtt_topic', 'mqtt_success_message', 'mqtt_username'],
  ...['mqtt_password', 'mqtt_check_type', 'grpc_url', 'grpc_protobuf', 'grpc_body', 'grpc_method'],
  ...['grpc_service_name', 'grpc_enable_tls'],
]

/** How a monitor is checked here; `undefined` where it cannot be. */
export function checkOf(kind: string, row: ForeignRow): MonitorCheck | undefined {
  const host = row.text('hostname').trim()
  const target = `${host.includes(':') ? `[${host}]` : host}:${row.integer('port')}`
  switch (kind) {
    case 'http':
    case 'keyword':
    case 'json-query':
      return httpCheckOf(kind, row)
    case 'port':
      return { type: 3, target }
    case 'ping':
      return { type: 2, target: host }
    case 'dns':
      return checked(checkKinds.dns, host, {
        kind: 'dns',
        record: row.text('dns_resolve_type'),
        resolver: resolverOf(row),
      })
    case 'smtp': {
      const capabilities = row.text('smtp_security') === 'starttls' ? 'STARTTLS' : ''
      return checked(checkKinds.smtp, target, {
        kind: 'smtp',
        tls: row.text('smtp_security') === 'secure',
        capabilities,
      })
    }
    case 'postgres':
    case 'mysql':
    case 'mongodb':
    case 'redis':
      return connected(databaseCheckOf(kind, row))
    case 'mqtt':
      return connected(mqttCheckOf(row))
    case 'grpc-keyword':
      return connected(grpcCheckOf(row))
    case 'push': {
      // There it is down when a call is missing so many times.
      const grace = Math.min(longestGrace, Math.max(0, row.integer('maxretries') * row.integer('retry_interval')))
      const interval = Math.max(10, row.integer('interval'))
      return checked(checkKinds.push, row.text('name') || 'push', { kind: 'push', interval, grace })
    }
    case 'websocket-upgrade':
      return checked(checkKinds.websocket, row.text('url'), { kind: 'websocket', verify_tls: !row.flag('ignore_tls') })
    default:
      return undefined
  }
}

/** Seconds: a month. */
const longestGrace = 31 * 86_400

/** The fields of a service with a check; `undefined` where the check cannot be as it is given. */
function checked({ schema, type }: CheckKind, target: string, given: Values): MonitorCheck | undefined {
  const { success, data } = schema.safeParse(given)
  return success ? { type, target, check: data } : undefined
}

const connected = (found: ConnectionCheck | undefined): MonitorCheck | undefined =>
  found && checked(checkKinds[found.check.kind], found.target, found.check)

/** The first name server, with its port. */
function resolverOf(row: ForeignRow): string {
  const [server = ''] = row.text('dns_resolve_server').split(',')
  const name = server.trim()
  return name === '' ? '' : `${name.includes(':') ? `[${name}]` : name}:${row.integer('port') || 53}`
}

function httpCheckOf(kind: string, row: ForeignRow): MonitorCheck | undefined {
  const auth = authOf(row)
  const json = kind === 'json-query' ? jsonRuleOf(row) : []
  if (auth === undefined || json === undefined) return undefined
  const keyword = kind === 'keyword' ? row.text('keyword') : ''
  const isInverted = row.flag('invert_keyword')
  const form = row.text('http_body_encoding')
  const given = {
    kind: 'http',
    method: row.text('method') || 'GET',
    headers: objectIn(row.json('headers')) ?? {},
    body: row.text('body'),
    body_type: form === 'form' ? 'form' : form === 'json' ? 'json' : 'text',
    auth,
    codes: textsIn(row.json('accepted_statuscodes_json')).join(','),
    contains: isInverted ? '' : keyword,
    absent: isInverted ? keyword : '',
    json,
    max_redirects: Math.min(10, Math.max(0, row.integer('maxredirects'))),
    verify_tls: !row.flag('ignore_tls'),
  }
  return checked(checkKinds.http, row.text('url'), given)
}

/** @returns `undefined` for a way to prove itself that there is not here */
function authOf(row: ForeignRow): Values | null | undefined {
  switch (row.text('auth_method')) {
    case '':
    case 'null':
      return null
    case 'basic':
      return { kind: 'basic', user: row.text('basic_auth_user'), password: row.text('basic_auth_pass') }
    case 'bearer':
      return { kind: 'bearer', token: row.text('bearer_token') }
    case 'mtls':
      return { kind: 'certificate', cert: row.text('tls_cert'), key: row.text('tls_key') }
    default:
      return undefined
  }
}

/** Its paths are JSONata, of which only names and indexes mean the same here. */
function jsonRuleOf(row: ForeignRow): Values[] | undefined {
  const path = row.text('json_path').trim()
  const op = row.text('json_path_operator') || '=='
  const isPlain = /^[\w$.[\]]*$/.test(path) && !path.includes('$$') && parseJsonPath(path) !== undefined
  return isPlain && path !== '' && ['==', '!=', '<', '>', 'contains'].includes(op)
    ? [{ path, op, value: row.text('expected_value') }]
    : undefined
}
