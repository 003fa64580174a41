import type { CheckKindName } from '../../../src/schemas/checks/checks.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { ForeignRow } from '../../db/foreignDatabase.ts'
import { percentDecoded } from '../../wire/percentDecoded.ts'
import { objectIn } from './readRows.ts'

/** A check of a server whose address is one text. */
export interface ConnectionCheck {
  target: string
  check: Values & { kind: CheckKindName }
}

interface Connection {
  target: string
  /** Without the colon. */
  scheme: string
  user: string
  password: string
  /** The path without its slash. */
  database: string
  options: URLSearchParams
}

const usualPorts = { postgres: 5432, mysql: 3306, mongodb: 27_017, redis: 6379, mqtt: 1883, mqtts: 8883 } as const

/** `scheme://user:password@host:port/database?option=value`; `undefined` for several hosts, or none. */
function parseConnection(text: string, port: number): Connection | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const { hostname, username, password, pathname, searchParams: options } = url
  if (hostname === '') return undefined
  return {
    target: `${hostname}:${url.port || port}`,
    scheme: url.protocol.slice(0, -1),
    user: percentDecoded(username),
    password: percentDecoded(password),
    database: percentDecoded(pathname.slice(1)),
    options,
  }
}

/** How a monitor of a database is checked here; `undefined` where it cannot be. */
export function databaseCheckOf(kind: string, row: ForeignRow): ConnectionCheck | undefined {
  const text = row.text('database_connection_string').trim()
  const query = row.text('database_query').trim()
  switch (kind) {
    case 'postgres':
      return postgresOf(parseConnection(text, usualPorts.postgres), query)
    case 'mysql':
      // Conditions on the value of a row have nothing like them.
      return hasConditions(row)
        ? undefined
        : mysqlOf(parseConnection(text, usualPorts.mysql), query, row.text('radius_password'))
    case 'mongodb':
      return mongodbOf(parseConnection(text, usualPorts.mongodb), query, row)
    default:
      return redisOf(parseConnection(text, usualPorts.redis), row.flag('ignore_tls'))
  }
}

const hasConditions = (row: ForeignRow): boolean => {
  const conditions = row.json('conditions')
  return Array.isArray(conditions) && conditions.length > 0
}

/** As node-postgres reads its address: all words for TLS but `no-verify` ask for a valid certificate. */
function postgresOf(connection: Connection | undefined, query: string): ConnectionCheck | undefined {
  if (!connection || !/^postgres(ql)?$/.test(connection.scheme)) return undefined
  const { target, user, password, database, options } = connection
  const mode = options.get('sslmode') ?? ''
  return {
    target,
    check: {
      kind: 'postgres',
      user,
      password,
      database,
      query,
      tls: mode === '' ? options.get('ssl') === 'true' : mode !== 'disable',
      verify_tls: mode !== 'no-verify',
    },
  }
}

/** As mysql2 reads its address: `ssl` is an object in JSON. @param otherPassword counts before that of the address */
function mysqlOf(
  connection: Connection | undefined,
  query: string,
  otherPassword: string,
): ConnectionCheck | undefined {
  if (!connection || !/^(mysql|mariadb)$/.test(connection.scheme)) return undefined
  const { target, user, password, database, options } = connection
  const ssl = options.get('ssl')
  return {
    target,
    check: {
      kind: 'mysql',
      user,
      password: otherPassword || password,
      database,
      query,
      tls: ssl !== null && ssl !== 'false',
      verify_tls: !/"rejectUnauthorized"\s*:\s*false/.test(ssl ?? ''),
    },
  }
}

/**
 * There a command is sent to the database in the path, and `authSource` knows the user; here both are one, which is
 * the same for a sign of life.
 */
function mongodbOf(connection: Connection | undefined, query: string, row: ForeignRow): ConnectionCheck | undefined {
  // A value of the answer is not looked at here; `$` is the whole.
  if (!['', '$'].includes(row.text('json_path').trim()) || row.text('expected_value') !== '') return undefined
  if (connection?.scheme !== 'mongodb') return undefined
  const { target, user, password, database, options } = connection
  const source = options.get('authSource') ?? database
  const isPing = query === '' || /^\{\s*"?ping"?\s*:\s*1\s*\}$/.test(query)
  if (source !== database && !isPing) return undefined
  return {
    target,
    check: {
      kind: 'mongodb',
      user,
      password,
      database: source,
      query: isPing ? '' : query,
      tls: ['tls', 'ssl'].some((name) => options.get(name) === 'true'),
      verify_tls: !['tlsInsecure', 'tlsAllowInvalidCertificates'].some((name) => options.get(name) === 'true'),
    },
  }
}

function redisOf(connection: Connection | undefined, ignoresTls: boolean): ConnectionCheck | undefined {
  if (!connection) return undefined
  const { target, scheme, user, password, database } = connection
  return {
    target,
    check: { kind: 'redis', user, password, database, tls: scheme === 'rediss', verify_tls: !ignoresTls },
  }
}

/** The longest that a check waits for a message, in seconds. */
const longestWait = 8

/** How a broker is checked here; `undefined` over a WebSocket, and for what is looked for in JSON. */
export function mqttCheckOf(row: ForeignRow): ConnectionCheck | undefined {
  if (!['', 'keyword'].includes(row.text('mqtt_check_type')) || hasConditions(row)) return undefined
  const address = row.text('hostname').trim()
  const [, scheme = 'mqtt', host = ''] = /^(?:(mqtts?):\/\/)?([^/]+)$/.exec(address) ?? []
  const port = row.integer('port') || usualPorts[scheme as 'mqtt' | 'mqtts']
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return host === ''
    ? undefined
    : {
        target: `${name}:${port}`,
        check: {
          kind: 'mqtt',
          user: row.text('mqtt_username'),
          password: row.text('mqtt_password'),
          topic: row.text('mqtt_topic'),
          expect: row.text('mqtt_success_message'),
          wait: Math.max(1, Math.min(longestWait, Math.floor(row.integer('interval') * 0.8))),
          tls: scheme === 'mqtts',
        },
      }
}

/** The standard health check, as which a call of gRPC is made here; `undefined` for any other. */
export function grpcCheckOf(row: ForeignRow): ConnectionCheck | undefined {
  const [, service = ''] = /(?:^|\.)(\w+)$/.exec(row.text('grpc_service_name').trim()) ?? []
  const [, package_ = healthPackage] = /^[ \t]*package\s+([\w.]+)\s*;/m.exec(row.text('grpc_protobuf')) ?? []
  const isHealth = service === 'Health' && package_ === healthPackage && /^check$/i.test(row.text('grpc_method'))
  const isServing = /^"?SERVING"?$/.test(row.text('keyword').trim()) && !row.flag('invert_keyword')
  if (!isHealth || !isServing) return undefined
  const name = objectIn(row.json('grpc_body'))?.service
  return {
    target: row.text('grpc_url').trim(),
    check: { kind: 'grpc', service: typeof name === 'string' ? name : '', tls: row.flag('grpc_enable_tls') },
  }
}

const healthPackage = 'grpc.health.v1'
