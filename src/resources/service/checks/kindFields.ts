import type { ComponentType } from 'react'
import type { CheckKindName } from '../../../schemas/checks/checks.ts'
import { DatabaseFields } from './database.tsx'
import { GroupFields } from './group.tsx'
import { HttpFields } from './http.tsx'
import {
  DnsFields,
  GrpcFields,
  MailFields,
  MqttFields,
  PingFields,
  SshFields,
  TcpFields,
  TlsFields,
  WebsocketFields,
} from './protocols.tsx'
import { PushFields } from './push.tsx'

/** The part of the form for each kind of check. */
export const kindFields: Readonly<Record<CheckKindName, ComponentType>> = {
  http: HttpFields,
  tls: TlsFields,
  tcp: TcpFields,
  push: PushFields,
  group: GroupFields,
  dns: DnsFields,
  smtp: MailFields,
  imap: MailFields,
  pop3: MailFields,
  ssh: SshFields,
  postgres: DatabaseFields,
  mysql: DatabaseFields,
  redis: DatabaseFields,
  mongodb: DatabaseFields,
  grpc: GrpcFields,
  websocket: WebsocketFields,
  mqtt: MqttFields,
  ping: PingFields,
}
