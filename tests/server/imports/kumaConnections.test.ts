import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openForeignDatabase } from '../../../server/db/foreignDatabase.ts'
import { uptimeKumaReader } from '../../../server/imports/readers/uptimeKuma.ts'
import { fixtureFile } from '../../support/imports/importFixture.ts'

/** The services that are made of monitors with these columns; those that cannot be are the kinds that are named. */
function servicesOf(monitors: readonly Record<string, string | number>[]) {
  const path = fixtureFile('uptime-kuma')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = DELETE; DELETE FROM monitor_group; DELETE FROM heartbeat; DELETE FROM monitor')
  for (const [index, monitor] of monitors.entries()) {
    const row = { name: `m${index}`, user_id: 1, ...monitor }
    const names = Object.keys(row)
    const marks = names.map(() => '?').join(', ')
    database.prepare(`INSERT INTO monitor (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row))
  }
  database.close()
  const foreign = openForeignDatabase(path)
  const { records, skipped } = uptimeKumaReader.read(foreign, '')
  foreign.close()
  return monitors.map((_, index) => {
    const record = records.find(({ entity, name }) => entity === 'service' && name === `m${index}`)
    const { target, check } = (record?.values ?? {}) as { target?: string; check?: object }
    return record ? { target, check } : skipped.find(({ name }) => name === `m${index}`)?.args
  })
}

const database = (type: string, database_connection_string: string, columns: object = {}) => ({
  type,
  database_connection_string,
  ...columns,
})

it('databases of Uptime Kuma are read from their addresses as its libraries read them', () => {
  const tls = { tls: true, verify_tls: true }
  const careless = { tls: true, verify_tls: false }
  const cases: [Record<string, string | number>, object][] = [
    [
      database('postgres', 'postgresql://u%40a:p%3Aq@db.example/shop?sslmode=require'),
      {
        target: 'db.example:5432',
        check: { kind: 'postgres', user: 'u@a', password: 'p:q', database: 'shop', ...tls },
      },
    ],
    [database('postgres', 'postgres://u:p@db.example/?sslmode=no-verify'), { check: careless }],
    [database('postgres', 'postgres://u:p@[2001:db8::1]/?ssl=true'), { target: '[2001:db8::1]:5432', check: tls }],
    [database('postgres', 'postgres://u:p@db.example/?sslmode=disable'), { check: { tls: false } }],
    // A query is asked as somebody.
    [database('postgres', 'postgres://db.example/', { database_query: 'SELECT 1' }), { kind: 'postgres' }],
    [
      database('mysql', 'mysql://u@db.example/shop?ssl={"rejectUnauthorized":false}', { radius_password: 'other' }),
      { target: 'db.example:3306', check: { kind: 'mysql', password: 'other', ...careless } },
    ],
    [database('mysql', 'mysql://u@db.example/', { conditions: '[{"type":"expression"}]' }), { kind: 'mysql' }],
    [
      database('mongodb', 'mongodb://u:p@db.example/shop?authSource=admin&tls=true', { database_query: '{"ping": 1}' }),
      { target: 'db.example:27017', check: { kind: 'mongodb', user: 'u', database: 'admin', query: '', ...tls } },
    ],
    [
      database('mongodb', 'mongodb://u:p@db.example/shop', { database_query: '{"find": "jobs"}' }),
      { check: { database: 'shop', query: '{"find": "jobs"}', tls: false } },
    ],
    // What the user may do is known by one database, and what is asked is in another one.
    [
      database('mongodb', 'mongodb://u:p@db.example/shop?authSource=admin', { database_query: '{"find": "jobs"}' }),
      { kind: 'mongodb' },
    ],
    [database('mongodb', 'mongodb://a.example:1,b.example:2/'), { kind: 'mongodb' }],
    [database('mongodb', 'mongodb+srv://db.example/'), { kind: 'mongodb' }],
    [database('mongodb', 'mongodb://db.example/', { json_path: '$.version' }), { kind: 'mongodb' }],
    [
      database('redis', 'rediss://u:100%@db.example/2', { ignore_tls: 1 }),
      { target: 'db.example:6379', check: { kind: 'redis', user: 'u', password: '100%', database: '2', ...careless } },
    ],
  ]
  expect(servicesOf(cases.map(([columns]) => columns))).toMatchObject(cases.map(([, expected]) => expected))
})

it('brokers and health checks of Uptime Kuma come along, and other calls are named', () => {
  const health = {
    type: 'grpc-keyword',
    grpc_url: 'api.example:443',
    grpc_protobuf: 'syntax = "proto3";\npackage grpc.health.v1;\nservice Health {}',
    grpc_service_name: 'Health',
    grpc_method: 'check',
    grpc_body: '{"service": "shop.v1.Orders"}',
    grpc_enable_tls: 1,
    keyword: 'SERVING',
  }
  const cases: [Record<string, string | number>, object][] = [
    [
      {
        type: 'mqtt',
        hostname: 'mqtts://broker.example',
        port: 8883,
        mqtt_username: 'u',
        interval: 5,
        mqtt_topic: 't',
      },
      { target: 'broker.example:8883', check: { kind: 'mqtt', user: 'u', topic: 't', wait: 4, tls: true } },
    ],
    [
      { type: 'mqtt', hostname: 'broker.example', port: 1884 },
      { target: 'broker.example:1884', check: { tls: false } },
    ],
    [{ type: 'mqtt', hostname: 'wss://broker.example', port: 443 }, { kind: 'mqtt' }],
    [{ type: 'mqtt', hostname: 'broker.example', mqtt_check_type: 'json-query' }, { kind: 'mqtt' }],
    [health, { target: 'api.example:443', check: { kind: 'grpc', service: 'shop.v1.Orders', tls: true } }],
    [{ ...health, keyword: 'NOT_SERVING' }, { kind: 'grpc-keyword' }],
    [{ ...health, invert_keyword: 1 }, { kind: 'grpc-keyword' }],
    [{ ...health, grpc_protobuf: 'syntax = "proto3";\npackage shop;' }, { kind: 'grpc-keyword' }],
    [{ ...health, grpc_method: 'Watch' }, { kind: 'grpc-keyword' }],
  ]
  expect(servicesOf(cases.map(([columns]) => columns))).toMatchObject(cases.map(([, expected]) => expected))
})
