import type { Import } from './importLines.ts'

/** A folder with everything below it, or a single file, unless a longer entry of the table is about it. */
export interface Room {
  holds: string
  /**
   * What it may import beside itself: rooms, single files and packages; only types with `type ` in front. A room that
   * is named does not include the rooms below it that have an entry of their own.
   */
  imports: readonly string[]
}

const ui = ['react', 'react-admin', 'react-hook-form', '@tanstack/react-query', '@mui/material', '@mui/icons-material']

/** What everything drawn by hand may use. */
const drawn = [
  ...[...ui, 'src/schemas/', 'src/resources/engine/', 'src/resources/engine/kinds/', 'src/resources/engine/parts/'],
  ...['src/custom/format/', 'src/custom/hooks/'],
]
const page = [
  ...[...drawn, 'src/custom/components/', 'src/custom/theme/', 'src/live/', 'src/session/'],
  'type src/dataProvider.ts',
]

/** What every room of the server may use. */
const server = [
  ...['src/schemas/', 'server/wire/', 'server/entities/', 'server/changes/', 'server/db/', 'server/person.ts'],
  ...['server/concurrency/', 'server/startError.ts'],
  ...['type server/log.ts', 'type server/settings.ts', 'node:', 'zod', 'fastify', 'fastify-plugin', 'type ws'],
  'type @fastify/websocket',
]
/** What rooms with routes or entities use besides. */
const routes = [...server, 'server/http/routes/', 'server/api/']

/**
 * Every room, what it holds, and what it may import. `tests/unit/project/boundaries.test.ts` keeps it true, and
 * CONTRIBUTING prints it as the map of the project.
 */
export const rooms: Readonly<Record<string, Room>> = {
  'src/main.tsx': {
    holds: 'The small entry: the sign-in form at once, the console behind it',
    imports: [
      ...['src/app/', 'src/site/', 'src/session/', 'src/custom/login/', 'src/custom/doctor/', 'src/custom/theme/'],
      ...['src/custom/terminal/', 'src/events/', 'i18n/', 'react-dom'],
    ],
  },
  'src/app/': {
    holds: 'Puts the console together: providers, routes, pages, preferences, what runs while it is open',
    imports: [
      ...['src/api/', 'src/authProvider.ts', 'src/dataProvider.ts', 'src/live/', 'src/records/', 'src/resources/'],
      ...['src/resources/engine/', 'src/resources/engine/parts/', 'src/schemas/', 'src/session/'],
      ...['src/storage/', 'src/lastVisit/', 'src/resources/engine/kinds/', 'src/custom/hooks/', 'src/custom/layout/'],
      ...[
        'src/custom/theme/',
        'src/events/',
        'src/custom/cronCalendar/',
        'src/custom/profile/',
        'src/custom/recentChanges/',
        'src/custom/settings/',
        'src/custom/terminal/',
        'type i18n/',
      ],
      ...['react', 'react-dom', 'react-admin', 'react-router', 'ra-core', 'type @tanstack/react-query'],
    ],
  },
  'src/apiDocs/': {
    holds: 'The page that shows the API of this server; it is built apart from the console',
    imports: ['src/schemas/', '@fastify/swagger-ui'],
  },
  'src/dataProvider.ts': {
    holds: "React-admin's verbs on `/api/v1`, composed of the functions in `src/records`",
    imports: [
      ...['src/api/', 'src/records/', 'src/resources/engine/kinds/', 'src/schemas/', 'src/session/', 'src/undo/'],
      ...['ra-data-simple-rest', 'type ra-core', 'type @tanstack/react-query'],
    ],
  },
  'src/authProvider.ts': {
    holds: 'Who is signed in and what they may do, for react-admin',
    imports: ['src/api/', 'src/schemas/', 'src/session/', 'type ra-core', 'type @tanstack/react-query'],
  },
  'src/api/': {
    holds: 'The only fetch of the console, whether the server can be reached, and the sockets of sessions',
    imports: ['src/schemas/', 'src/session/', 'src/live/', 'src/events/', 'ra-core'],
  },
  'src/session/': {
    holds: 'The session of this browser: token, renewal, the gate before calls, messages between tabs, sign-out',
    imports: ['src/schemas/', 'src/events/', 'src/storage/', 'type ra-core'],
  },
  'src/records/': {
    holds: 'What the data provider is made of: whole lists, paged lists, queries over rows, three-way changes',
    imports: ['src/schemas/', 'src/api/', 'src/events/', 'type zod', 'ra-core', '@tanstack/react-query'],
  },
  'src/undo/': {
    holds: 'Taking changes back: what is stored in the browser, and the plan of an undo',
    imports: ['src/schemas/', 'src/records/', 'src/storage/', 'ra-core', 'idb', 'type zod'],
  },
  'src/storage/': {
    holds: 'What a sign-out removes from the storage of the browser: names of records, changes that can be taken back',
    imports: ['type @tanstack/react-query'],
  },
  'src/lastVisit/': {
    holds: 'What others have changed since the last visit, and what this browser remembers to find out',
    imports: [...['src/schemas/', 'src/records/', 'src/events/', 'type src/session/', 'type src/dataProvider.ts']],
  },
  'src/live/': { holds: 'Live metrics, outside React', imports: ['src/schemas/', 'src/events/', 'react'] },
  'src/events/': { holds: 'The emitter for state outside React, and when the page is idle', imports: [] },
  'src/site/': {
    holds: "The operator's custom code, and reloading after an update",
    imports: ['src/session/', 'src/events/'],
  },
  'src/schemas/': {
    holds: 'The contract: one zod schema per entity, the endpoints and the binary frames, for browser and server',
    imports: ['zod'],
  },
  'src/configuration/': {
    holds: 'The configuration as a file: YAML, the plan of what a file would change, and its order; for both sides',
    imports: ['src/schemas/', 'yaml', 'type zod'],
  },
  'src/resources/': {
    holds: 'One definition per entity: its screen, as data',
    imports: [
      ...['src/schemas/', 'src/resources/engine/', 'src/custom/cells/', 'src/custom/inputs/', 'src/custom/actions/'],
      ...['src/custom/components/', 'src/custom/export/', 'src/custom/hooks/', 'src/custom/overview/'],
    ],
  },
  'src/resources/engine/': {
    holds: 'Turns definitions into lists, forms, filters, actions and exports',
    imports: [
      ...ui,
      ...['src/resources/engine/kinds/', 'src/resources/engine/parts/', 'src/schemas/', 'src/records/', 'src/undo/'],
      ...['src/events/', 'type src/dataProvider.ts', 'react-router', 'type zod'],
    ],
  },
  'src/resources/engine/kinds/': {
    holds: 'What the browser needs of each field kind, a folder each: cell, input, filter, comparison, export text',
    imports: [
      ...[...ui, 'src/resources/engine/parts/', 'src/schemas/', 'src/records/', 'src/storage/'],
      '@tanstack/react-virtual',
    ],
  },
  'src/resources/engine/parts/': {
    holds: 'Parts that lists, forms and pages draw: lazy loading, toasts, icons, Retry',
    imports: ui,
  },
  'src/custom/theme/': { holds: 'Colours, fonts, sizes and shared styles', imports: ['@mui/material', 'type react'] },
  'src/custom/format/': { holds: 'Values as text: bytes, times, durations', imports: ['src/schemas/', 'react-admin'] },
  'src/custom/hooks/': {
    holds: 'Data that several parts need: settings, metrics of a server, names of users',
    imports: [...ui, 'src/schemas/', 'src/live/', 'src/custom/login/', 'type src/dataProvider.ts'],
  },
  'src/custom/components/': {
    holds: 'Parts that several pages draw: dialogs, panels, tables, the code editor',
    imports: [...drawn, 'src/custom/theme/', '@codemirror/', '@lezer/'],
  },
  'src/custom/export/': {
    holds: 'What exported files have in place of columns that draw more than a field',
    imports: [...page, 'src/custom/cells/', 'src/custom/charts/', 'src/records/'],
  },
  'src/custom/cells/': {
    holds: 'Cells that definitions point to',
    imports: [...page, 'src/custom/actions/', 'src/custom/charts/', 'type src/records/'],
  },
  'src/custom/inputs/': {
    holds: 'Form inputs that definitions point to',
    imports: [...page, 'src/records/', 'src/custom/backtest/', 'type i18n/', 'cronstrue', 'zod'],
  },
  'src/custom/backtest/': {
    holds: 'What an alert rule would have done, in its form',
    imports: [...page, 'src/records/', 'src/custom/actions/', 'src/custom/charts/'],
  },
  'src/custom/actions/': {
    holds: 'Dialogs and actions that definitions point to',
    imports: [...page, 'src/custom/charts/', 'src/custom/nezha/'],
  },
  'src/custom/charts/': {
    holds: 'Charts of servers and services',
    imports: [...page, 'src/events/', 'react-router', 'uplot'],
  },
  'src/custom/overview/': {
    holds: 'The page of a server and of a service: state, metrics, charts, and what belongs to it',
    imports: [...page, 'src/records/', 'src/custom/charts/', 'src/custom/cells/', 'src/custom/layout/'],
  },
  'src/custom/cronCalendar/': {
    holds: 'The next 48 hours of all tasks, and which of them overlap',
    imports: [...page, 'src/records/', 'src/custom/overview/'],
  },
  'src/custom/layout/': {
    holds: 'What stands around every screen: header, navigation, status bar, notifications, error pages',
    imports: [
      ...[...page, 'src/api/', 'src/site/', 'src/lastVisit/', 'src/custom/lastVisit/', 'src/custom/login/'],
      ...['src/custom/proof/', 'src/custom/secondFactor/'],
      ...['type i18n/', 'react-dom'],
    ],
  },
  'src/custom/lastVisit/': {
    holds: 'The line and the list of what others have changed since the last visit',
    imports: [...page, 'src/lastVisit/'],
  },
  'src/custom/login/': {
    holds: 'The sign-in form; it stands alone, without MUI, react-admin and zod',
    imports: [
      ...['src/schemas/define/wireNames.ts', 'type src/schemas/', 'src/session/', 'src/site/', 'src/custom/proof/'],
      'src/custom/theme/tokens.ts',
      ...['src/custom/theme/Logo.tsx', 'src/custom/theme/themeMode.ts', 'i18n/locales.ts', 'react'],
    ],
  },
  'src/custom/proof/': {
    holds: 'How somebody proves who they are: passkey, code, password; as light as the sign-in form',
    imports: [
      ...['src/schemas/define/factorFailures.ts', 'type src/schemas/', 'type i18n/', 'react'],
      '@simplewebauthn/browser',
    ],
  },
  'src/custom/secondFactor/': {
    holds: 'The own second factor: authenticator app, passkeys, recovery codes',
    imports: [...page, 'src/custom/proof/', 'type i18n/', 'lean-qr'],
  },
  'src/custom/doctor/': {
    holds: 'The connection check, as light as the sign-in form',
    imports: [
      ...['src/schemas/define/wireNames.ts', 'src/session/', 'src/custom/login/', 'src/custom/theme/tokens.ts'],
      ...['src/custom/theme/Logo.tsx', 'src/custom/theme/themeMode.ts', 'i18n/locales.ts', 'react', 'type react-dom'],
    ],
  },
  'src/custom/profile/': {
    holds: 'The profile',
    imports: [...page, 'src/custom/nezha/', 'src/custom/secondFactor/', '@dicebear/'],
  },
  'src/custom/recentChanges/': {
    holds: 'What somebody changed in this browser, and taking it back',
    imports: [...page, 'src/undo/'],
  },
  'src/custom/nezha/': { holds: 'API tokens and server transfers', imports: page },
  'src/custom/settings/': {
    holds: 'The settings of the site, and the configuration as a file',
    imports: [...page, 'src/records/', 'src/custom/actions/', 'src/configuration/', 'src/undo/'],
  },
  'src/custom/files/': {
    holds: 'The file manager: transfers in a worker, the list, viewer and editor',
    imports: [...page, 'src/api/', '@tanstack/react-virtual'],
  },
  'src/custom/terminal/': {
    holds: 'The terminal page: sessions, screens, tabs and the panels around them',
    imports: [
      ...[...page, 'src/api/', 'src/events/', 'src/records/', 'src/storage/', 'src/custom/files/'],
      ...['src/custom/layout/', '@xterm/'],
    ],
  },
  'src/status/': {
    holds: 'The status page for visitors; it stands alone, without React, MUI and zod',
    imports: [
      ...['src/status/texts/', 'type src/schemas/', 'src/schemas/status/', 'src/events/', 'src/site/'],
      ...['src/custom/theme/tokens.ts', 'src/custom/theme/themeMode.ts', 'src/custom/format/format.ts'],
      ...['i18n/locales.ts', 'preact'],
    ],
  },
  'src/status/texts/': {
    holds: 'The texts of the status page in five languages, for the page and for the server',
    imports: ['src/schemas/status/', 'type i18n/'],
  },
  'i18n/': {
    holds: 'All texts in five languages; a missing text does not compile',
    imports: ['type src/schemas/', 'ra-i18n-polyglot', 'ra-language-english', 'type ra-core'],
  },
  'server/main.ts': {
    holds: 'Starts the server and ends it on signals',
    imports: [...server, 'server/start/', 'server/log.ts', 'server/settings.ts', 'package.json'],
  },
  'server/cli.ts': {
    holds: 'The command line: the server, or one of `server/commands`',
    imports: ['server/main.ts', 'server/commands/', 'server/log.ts', 'package.json', 'scripts/bootstrap/usage.mjs'],
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
      ...['server/http/routes/', 'server/auth/', 'server/auth/addresses/', 'server/site/'],
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
      ...[...routes, 'server/auth/addresses/', 'server/site/', 'type server/audit/', 'jose', 'openid-client'],
      ...['otpauth', '@simplewebauthn/server'],
    ],
  },
  'server/auth/addresses/': {
    holds: "The visitor's address, the host names that are ours, and networks that a setting names",
    imports: ['src/schemas/', 'server/wire/', 'node:', 'type fastify'],
  },
  'server/audit/': { holds: 'The audit log', imports: routes },
  'server/backups/': { holds: 'Backups by schedule', imports: [...routes, 'type server/audit/'] },
  'server/site/': {
    holds: 'The settings of the site',
    imports: [
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
      ...['server/site/', 'mmdb-lib'],
    ],
  },
  'server/agents/grpc/': {
    holds: 'gRPC on HTTP/2, and the messages of agents',
    imports: ['node:', 'server/concurrency/', '@bufbuild/protobuf'],
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
    holds: 'Maintenance windows and mutes: what nobody is told of now',
    imports: [...routes, 'server/site/'],
  },
  'server/services/': {
    holds: 'Checks of services, their status and history',
    imports: [
      ...[...routes, 'server/machines/', 'server/outbound/', 'type server/notifications/', 'type server/tasks/'],
      'type server/maintenance/',
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
      ...['type server/alerts/', 'type server/machines/'],
    ],
  },
  'server/tasks/': {
    holds: 'Scheduled and triggered commands',
    imports: [...routes, 'server/site/', 'type server/machines/', 'type server/notifications/'],
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

/** The room that a file is in. */
export function roomOf(path: string): string | undefined {
  return Object.keys(rooms)
    .filter((room) => (room.endsWith('/') ? path.startsWith(room) : path === room))
    .sort((a, b) => b.length - a.length)[0]
}

/** An entry covers the room, the folder or the file that it names; `react` also covers `react/jsx-runtime`. */
function covers(entry: string, target: string): boolean {
  if (entry in rooms) return entry === roomOf(target)
  const isFolder = entry.endsWith('/') || entry === 'node:'
  return entry === target || target.startsWith(isFolder ? entry : `${entry}/`)
}

/** Whether the table lets a file import that. */
export function isAllowed({ file, target, isType }: Import): boolean {
  const room = roomOf(file)
  if (room === undefined) return false
  return [room, ...(rooms[room]?.imports ?? [])].some((entry) => {
    const isTypeOnly = entry.startsWith('type ')
    return (isType || !isTypeOnly) && covers(entry.replace('type ', ''), target)
  })
}

/** Lists that many rooms share, the longest first. */
const groups = { 'page basics': page, 'drawing basics': drawn, 'route basics': routes, 'server basics': server }

const isRoom = (entry: string) => entry.replace('type ', '') in rooms

/** Rooms as CONTRIBUTING names them, without packages; those from which only types are imported are in italics. */
const namesOf = (entries: readonly string[]) =>
  [...new Set(entries)]
    .filter(isRoom)
    .map((entry) => (entry.startsWith('type ') ? `*${entry.slice(5)}*` : entry))
    .join(', ')

/** The table as CONTRIBUTING prints it. */
export function roomsAsMarkdown(): string {
  const shared = Object.entries(groups).map(([name, entries]) => `- **${name}**: ${namesOf(entries)}`)
  const lines = Object.entries(rooms).map(([room, { holds, imports }]) => {
    const group = Object.entries(groups).find(([, entries]) => entries.every((entry) => imports.includes(entry)))
    const further = namesOf(imports.filter((entry) => !group?.[1].includes(entry)))
    const all = [group && `**${group[0]}**`, further].filter(Boolean).join(', ')
    return `| \`${room}\` | ${holds} | ${all} |`
  })
  return [...shared, '', '| room | holds | may import |', '|---|---|---|', ...lines].join('\n')
}
