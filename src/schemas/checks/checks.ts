import { z } from 'zod'
import type { Destination } from '../define/entity.ts'
import { facts, limits } from '../define/fields.ts'
import { fieldsIn } from '../define/values.ts'
import { addressOrigin } from '../formats/addressOrigin.ts'
import { type CheckKind, targetFormProblem } from './checkKind.ts'
import { mongodbCheck, mysqlCheck, postgresCheck, redisCheck } from './database.ts'
import { imapCheck, pop3Check, smtpCheck, sshCheck } from './greeting.ts'
import { httpCheck } from './http.ts'
import { groupCheck, pushCheck } from './own.ts'
import { dnsCheck, grpcCheck, mqttCheck, pingCheck, tcpCheck, websocketCheck } from './protocols.ts'
import { tlsCheck } from './tls.ts'

/** The kinds of checks, in the order in which they are offered. A new one is a schema and a line here. */
export const checkKinds = {
  http: httpCheck,
  tls: tlsCheck,
  tcp: tcpCheck,
  push: pushCheck,
  group: groupCheck,
  dns: dnsCheck,
  smtp: smtpCheck,
  imap: imapCheck,
  pop3: pop3Check,
  ssh: sshCheck,
  postgres: postgresCheck,
  mysql: mysqlCheck,
  redis: redisCheck,
  mongodb: mongodbCheck,
  grpc: grpcCheck,
  websocket: websocketCheck,
  mqtt: mqttCheck,
  ping: pingCheck,
} as const satisfies Readonly<Record<string, CheckKind>>

const schemas = [
  httpCheck.schema,
  tlsCheck.schema,
  tcpCheck.schema,
  pushCheck.schema,
  groupCheck.schema,
  dnsCheck.schema,
  smtpCheck.schema,
  imapCheck.schema,
  pop3Check.schema,
  sshCheck.schema,
  postgresCheck.schema,
  mysqlCheck.schema,
  redisCheck.schema,
  mongodbCheck.schema,
  grpcCheck.schema,
  websocketCheck.schema,
  mqttCheck.schema,
  pingCheck.schema,
] as const

/** How a service is checked, by its kind. */
export const check = z.discriminatedUnion('kind', schemas).register(facts, {
  kind: 'json',
  newer: true,
  announced: 'checks',
  leftOut: 'kept',
  maxLength: limits.body,
  mentions: [{ to: 'service', path: ['services'] }],
  secrets: Object.values<CheckKind>(checkKinds).flatMap(({ secrets }) => secrets),
})

export type Check = z.output<typeof check>
export type CheckKindName = Check['kind']
export type CheckOf<Kind extends CheckKindName> = Extract<Check, { kind: Kind }>

/** The kinds that no machine is asked for: this server knows by itself. */
export const ownKinds = ['push', 'group'] as const
export type OwnKind = (typeof ownKinds)[number]
export type OwnCheck = CheckOf<OwnKind>
export type MachineCheck = Exclude<Check, OwnCheck>

/** By its kind alone: what is stored may not be read yet. */
export const isOwnCheck = <Value extends object>(value: Value): value is Value & OwnCheck =>
  ownKinds.some((kind) => 'kind' in value && kind === value.kind)

/** The names of the kinds. */
export const checkKindNames = Object.keys(checkKinds) as CheckKindName[]

/** The kind of what stands in the `check` of a service; `undefined` for none, and one that is not known. */
export function checkKindOf(value: unknown): CheckKind | undefined {
  const { kind } = fieldsIn(value)
  const known = checkKindNames.find((name) => name === kind)
  return known && checkKinds[known]
}

/** The key of what is wrong with the target of a check. */
export const checkTargetProblem = (value: unknown, target: string): string | undefined => {
  const kind = checkKindOf(value)
  return kind && targetFormProblem(kind.target, target)
}

/**
 * Where the secrets of a check go: its kind, its target's host and port, whether through TLS, a proxy before it, and with
 * TLS the authorities that say who is there.
 */
export function checkReceiver(value: unknown, target: string): Destination {
  const kind = checkKindOf(value)
  const { kind: name, proxy = '', tls = false, verify_tls, ca = '' } = fieldsIn(value)
  const isAddress = kind?.target === 'url' || kind?.target === 'socket_url'
  // An address says by its scheme whether there is TLS.
  const receiver = isAddress ? addressOrigin(target) : `${tls ? 'tls' : 'tcp'}://${target}`
  const isPlain = /^(http|ws|tcp):/.test(receiver)
  const address = kind ? JSON.stringify([name, receiver, proxy, isPlain ? '' : ca]) : ''
  return { address, isVerified: verify_tls === true && !isPlain }
}
