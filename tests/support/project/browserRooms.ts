import type { Room } from './room.ts'

const ui = ['react', 'react-admin', 'react-hook-form', '@tanstack/react-query', '@mui/material', '@mui/icons-material']

/** What everything drawn by hand may use. */
export const drawn = [
  ...[...ui, 'src/schemas/', 'src/resources/engine/', 'src/resources/engine/kinds/', 'src/resources/engine/parts/'],
  ...['src/custom/format/', 'src/custom/hooks/'],
]
export const page = [
  ...[...drawn, 'src/custom/components/', 'src/custom/theme/', 'src/live/', 'src/session/'],
  'type src/dataProvider.ts',
]

/** The rooms of the console and of the status page. */
export const browserRooms: Readonly<Record<string, Room>> = {
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
  'src/events/': {
    holds: 'The emitter for state outside React, when a frame is painted, and when the page is idle',
    imports: [],
  },
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
    holds: 'Parts that lists, forms and pages draw or ask: lazy loading, toasts, icons, Retry, who is signed in',
    imports: ui,
  },
  'src/custom/theme/': { holds: 'Colours, fonts, sizes and shared styles', imports: ['@mui/material', 'type react'] },
  'src/custom/format/': { holds: 'Values as text: bytes, times, durations', imports: ['src/schemas/', 'react-admin'] },
  'src/custom/hooks/': {
    holds: 'Data that several parts need: settings, metrics of a server, names of users',
    imports: [
      ...[...ui, 'src/schemas/', 'src/live/', 'src/custom/login/', 'src/resources/engine/parts/'],
      'type src/dataProvider.ts',
    ],
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
}
