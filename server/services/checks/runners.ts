import type { MachineCheck } from '../../../src/schemas/checks/checks.ts'
import { runDns } from './dns/runDns.ts'
import { runImap, runPop3, runSmtp, runSsh } from './greeting/runGreeting.ts'
import { runGrpc } from './grpc/runGrpc.ts'
import { runHttp } from './http/runHttp.ts'
import { runMongodb } from './mongodb/runMongodb.ts'
import { runMqtt } from './mqtt/runMqtt.ts'
import { runMysql } from './mysql/runMysql.ts'
import type { Runner } from './parts/runner.ts'
import { runPing } from './ping/runPing.ts'
import { runPostgres } from './postgres/runPostgres.ts'
import { runRedis } from './redis/runRedis.ts'
import { runTcp } from './tcp/runTcp.ts'
import { runTls } from './tls/runTls.ts'
import { runWebsocket } from './websocket/runWebsocket.ts'

/** How each kind of check is run. */
export const runners: { readonly [Kind in MachineCheck['kind']]: Runner<Kind> } = {
  http: runHttp,
  tls: runTls,
  tcp: runTcp,
  dns: runDns,
  smtp: runSmtp,
  imap: runImap,
  pop3: runPop3,
  ssh: runSsh,
  postgres: runPostgres,
  mysql: runMysql,
  redis: runRedis,
  mongodb: runMongodb,
  grpc: runGrpc,
  websocket: runWebsocket,
  mqtt: runMqtt,
  ping: runPing,
}
