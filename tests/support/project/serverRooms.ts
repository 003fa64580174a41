import type { Room } from './room.ts'

/** What every room of the server may use. */
export const server = [
  ...['src/schemas/', 'server/wire/', 'server/entities/', 'server/changes/', 'server/db/', 'server/person.ts'],
  ...['server/concurrency/', 'server/startError.ts'],
  ...['type server/log.ts', 'type server/settings.ts', 'node:', 'zod', 'fastify', 'fastify-plugin', 'type ws'],
  'type @fastify/websocket',
]
/** What rooms with routes or entities use besides. */
export const routes = [...server, 'server/http/routes/', 'server/api/']

/** The rooms of the server. */
export const serverRooms: Readonly<Record<string, Room>> = {
  'server/main.ts': {
    holds: 'Starts the server and ends it on signals',
    imports: [
      ...[...server, 'server/start/', 'server/log.ts', 'server/settings.ts', 'package.json'],
      'scripts/bootstrap/foreground.mjs',
    ],
  },
  'server/cli.ts': {
    holds: 'The command line: the server, or one of `server/commands`',
    imports: [
      ...['server/main.ts', 'server/commands/', 'server/log.ts', 'package.json', 'scripts/bootstrap/usage.mjs'],
      ...['endWithParent', 'foreground', 'launched'].map((name) => `scripts/bootstrap/${name}.mjs`),
    ],
  },
  'server/app.ts': {
    holds: 'Composes the server of its rooms, each a Fastify plugin that declares what it needs',
    imports: [
      ...routes,
      ...['server/http/', 'server/auth/', 'server/audit/', 'server/site/', 'server/outbound/', 'server/machines/'],
      ...['server/sessions/', 'server/services/', 'server/alerts/', 'server/notifications/', 'server/tasks/'],
      ...['server/maintenance/', 'server/ddns/', 'server/nat/', 'server/agents/', 'server/status/', 'server/metrics/'],
      ...['server/backups/', 'server/mcp/'],
      'type server/concurrency/',
      'server/events/',
    ],
  },
  'server/settings.ts': {
    holds: 'Settings from the environment',
    imports: ['src/schemas/', 'server/auth/addresses/', 'server/startError.ts', 'node:'],
  },
  'server/log.ts': { holds: 'The log', imports: [] },
  'server/http2Stream.ts': { holds: 'Whether a stream of HTTP/2 can still be answered', imports: ['node:'] },
  'server/startError.ts': { holds: 'An error that ends the start with one sentence for the operator', imports: [] },
  'server/concurrency/': {
    holds:
      'Places for what may be open at the same time, turns for others between the steps of long work, what is done once or again and again',
    imports: ['type server/log.ts', 'node:'],
  },
  'server/person.ts': { holds: 'Who makes a request, and whether they own a record', imports: ['src/schemas/'] },
  'server/start/': {
    holds: 'Starting: data folder, port, this machine, gateway',
    imports: [
      ...server,
      ...['server/app.ts', 'server/settings.ts', 'server/audit/', 'server/auth/', 'server/gateway/'],
      ...['server/machines/', 'server/site/'],
    ],
  },
  'server/commands/': {
    holds: 'Commands: backup, restore, reset-password; the configuration as a file; doctor; the service of systemd',
    imports: [
      ...[...server, 'server/log.ts', 'server/settings.ts', 'server/start/', 'server/audit/', 'server/auth/'],
      ...['server/app.ts', 'server/site/', 'server/backups/', 'src/configuration/', 'package.json'],
      'scripts/bootstrap/usage.mjs',
    ],
  },
  'server/http/': {
    holds: 'Requests before any route: dispatch by host, security hooks, headers, static files, error replies',
    imports: [
      ...server,
      ...['server/http/routes/', 'server/http2Stream.ts', 'server/auth/', 'server/auth/addresses/', 'server/site/'],
      ...['@fastify/cookie', '@fastify/static', '@fastify/websocket'],
    ],
  },
  'server/http/routes/': {
    holds: 'Registers typed routes and describes them as OpenAPI',
    imports: [...server, '@fastify/swagger'],
  },
  'server/api/': {
    holds: 'CRUD of entities: routes, records, paged lists, references, who may see what',
    imports: [...server, 'server/http/routes/', 'src/configuration/'],
  },
  'server/entities/': {
    holds: 'An entity compiled for the server: reader, writer, table; what each field kind needs is a file in `kinds/`',
    imports: ['src/schemas/', 'server/wire/', 'server/changes/', 'type server/db/', 'type zod'],
  },
  'server/changes/': {
    holds: 'The history of changes: who changed which field of which record',
    imports: ['src/schemas/', 'server/wire/', 'server/person.ts', 'type server/db/', 'node:'],
  },
  'server/wire/': {
    holds: 'Requests and replies as the contract has them: JSON with its error texts, ids, times',
    imports: ['src/schemas/', 'zod'],
  },
  'server/db/': {
    holds: 'The database: store, tables, migrations, backups, history over time',
    imports: ['server/startError.ts', 'server/concurrency/', 'node:'],
  },
  'server/auth/': {
    holds: 'Signing in: sessions, passwords, second factors, OAuth2, blocked addresses, users',
    imports: [
      ...[...routes, 'server/auth/addresses/', 'server/site/', 'server/outbound/', 'type server/audit/'],
      ...['jose', 'openid-client', 'otpauth', '@simplewebauthn/server', 'type i18n/'],
    ],
  },
  'server/auth/addresses/': {
    holds: "The visitor's address, the host names that are ours, and networks that a setting names",
    imports: [
      ...['src/schemas/', 'server/wire/', 'server/startError.ts', 'type server/log.ts', 'node:', 'type fastify'],
      'mmdb-lib',
    ],
  },
  'server/audit/': { holds: 'The audit log', imports: routes },
  'server/backups/': { holds: 'Backups by schedule', imports: [...routes, 'type server/audit/'] },
  'server/site/': {
    holds: 'The settings of the site, its language, and the words of messages in it',
    imports: [
      ...['i18n/messages.ts', 'i18n/locales.ts'],
      ...[...routes, 'server/auth/addresses/', 'server/sessions/', 'type server/audit/', 'type server/backups/'],
    ],
  },
  'server/machines/': {
    holds: 'The monitored machines: reports, live stream, orders; how to reach one is a host in `hosts/`',
    imports: [...[...routes, 'server/outbound/', 'type server/auth/', 'systeminformation'], '@lydell/node-pty'],
  },
  'server/agents/': {
    holds: 'The channel of agents: who calls, their streams, and the machines that they make',
    imports: [
      ...[...routes, 'server/agents/grpc/', 'server/auth/', 'server/auth/addresses/', 'server/machines/'],
      'server/site/',
    ],
  },
  'server/agents/grpc/': {
    holds: 'gRPC on HTTP/2, and the messages of agents',
    imports: ['node:', 'server/concurrency/', 'server/http2Stream.ts', '@bufbuild/protobuf'],
  },
  'server/sessions/': {
    holds: 'Terminals and files on a machine',
    imports: [...routes, 'server/machines/', 'type server/audit/', 'type server/auth/'],
  },
  'server/mcp/': {
    holds: 'Tools for programs with an API token, by the Model Context Protocol',
    imports: [
      ...[...routes, 'server/auth/', 'server/auth/addresses/', 'server/machines/', 'server/outbound/', 'server/site/'],
      'type server/audit/',
      '@modelcontextprotocol/server',
    ],
  },
  'server/maintenance/': {
    holds: 'Maintenance windows and mutes: what nobody is notified of now',
    imports: [...routes, 'server/site/'],
  },
  'server/services/': {
    holds: 'Checks of services, their status and history',
    imports: [
      ...[...routes, 'server/machines/', 'server/outbound/', 'type server/notifications/', 'type server/tasks/'],
      ...['server/site/', 'type server/maintenance/'],
    ],
  },
  'server/alerts/': {
    holds: 'Alert rules and the alarms that they raise',
    imports: [
      ...[...routes, 'server/notifications/', 'server/site/', 'type server/machines/'],
      ...['type server/tasks/', 'type server/services/', 'type server/maintenance/'],
    ],
  },
  'server/notifications/': {
    holds: 'Sending notifications and recording their delivery',
    imports: [
      ...[...routes, 'server/outbound/', 'server/site/', 'server/webhooks/', 'type server/machines/'],
      'type server/maintenance/',
    ],
  },
  'server/webhooks/': {
    holds: 'Events as signed requests',
    imports: [...server, 'type server/outbound/'],
  },
  'server/events/': {
    holds: 'What happens here, as events to the notifiers of groups: who gets them, their queue, sending again',
    imports: [
      ...[...routes, 'server/maintenance/', 'server/notifications/', 'server/outbound/', 'server/webhooks/'],
      ...['server/site/', 'type server/alerts/', 'type server/machines/'],
    ],
  },
  'server/tasks/': {
    holds: 'Scheduled and triggered commands',
    imports: [
      ...routes,
      'server/site/',
      'type server/machines/',
      'type server/notifications/',
      'type i18n/messages.ts',
    ],
  },
  'server/ddns/': {
    holds: 'DNS records that follow the addresses of servers',
    imports: [...routes, 'server/outbound/', 'type server/machines/'],
  },
  'server/nat/': {
    holds: 'Forwarding requests for host names to machines',
    imports: [
      ...routes,
      ...['server/auth/', 'server/auth/addresses/', 'server/gateway/', 'server/machines/', 'server/site/'],
    ],
  },
  'server/metrics/': {
    holds: 'Metrics for Prometheus: of machines, services, alert rules and this server',
    imports: [
      ...[...routes, 'server/auth/addresses/', 'server/site/'],
      ...['type server/machines/', 'type server/services/', 'type server/alerts/'],
    ],
  },
  'server/status/': {
    holds:
      'The status page for visitors without an account: its HTML, data and socket, availability, incidents, feed, badges',
    imports: [
      ...[...routes, 'server/auth/addresses/', 'server/http/', 'server/machines/', 'server/site/'],
      ...['server/services/', 'type server/alerts/'],
      ...['type server/maintenance/', 'src/status/texts/', 'src/status/icon.ts', 'src/custom/theme/tokens.ts'],
      ...['i18n/locales.ts', '@fastify/static', 'badge-maker'],
    ],
  },
  'server/outbound/': { holds: 'Every request that leaves this server', imports: [...server, 'nodemailer'] },
  'server/gateway/': {
    holds: 'The server in front of a Nezha server',
    imports: [...[...server, 'server/auth/addresses/', 'server/http/', 'server/outbound/'], '@fastify/http-proxy'],
  },
}
