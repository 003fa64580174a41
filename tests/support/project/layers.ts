import type { Import } from './importLines.ts'

interface Layer {
  /** What lies in it: folders, which end with `/`, and single files. */
  holds: readonly string[]
  /** What it is for, as CONTRIBUTING says it. */
  purpose: string
  /** Packages that nothing in it may import, by the beginning of their names. */
  without?: readonly string[]
}

const drawing = ['react', '@mui/', '@emotion/', '@tanstack/react-virtual', 'ra-', 'preact']
const browser = [...drawing, '@xterm/', '@codemirror/', 'uplot', 'idb']

/** The layers of the browser's side, the lowest first. A file imports from its own layer and from those before it. */
const browserLayers: readonly Layer[] = [
  {
    holds: ['src/events/', 'src/storage/'],
    purpose: 'The emitter for state outside React, moments of the page, and what is kept in the browser',
    without: drawing,
  },
  {
    holds: ['src/session/', 'src/site/', 'src/live/', 'src/api/', 'src/records/', 'src/undo/', 'src/authProvider.ts'],
    purpose: 'Data: the session, live metrics, requests, rows and their changes; nothing here draws',
    without: ['react-admin', 'react-dom', '@mui/', '@emotion/', 'ra-ui-materialui'],
  },
  {
    holds: ['src/engine/', 'src/components/', 'src/lastVisit/', 'src/dataProvider.ts'],
    purpose: 'What turns definitions into screens, and what several pages draw',
  },
  {
    holds: ['src/resources/', 'src/custom/'],
    purpose: 'A folder for each entity, and the pages of no entity',
  },
  {
    holds: ['src/app/', 'src/main.tsx', 'src/status/', 'src/apiDocs/', 'src/serviceWorker/'],
    purpose:
      'What puts the console together, and what stands alone: the pages for visitors and of the API, the service worker',
  },
]

/** The layers of the server, the lowest first. */
const serverLayers: readonly Layer[] = [
  {
    holds: [
      'server/wire/',
      'server/concurrency/',
      'server/auth/addresses/',
      'server/settings.ts',
      'server/person.ts',
      'server/log.ts',
      'server/makeFolders.ts',
      'server/replaceFile.ts',
      'server/texts.ts',
      'server/http2Stream.ts',
    ],
    purpose: 'The wire, addresses, settings from the environment, places and turns; without state of its own',
    without: browser,
  },
  {
    holds: ['server/db/', 'server/changes/', 'server/entities/'],
    purpose: 'The database, the history of changes, and entities compiled for both',
    without: [...browser, 'fastify', '@fastify/'],
  },
  {
    holds: [
      'server/http/',
      'server/api/',
      'server/auth/',
      'server/audit/',
      'server/site/',
      'server/backups/',
      'server/cluster/',
      'server/outbound/',
      'server/machines/',
      'server/sessions/',
      'server/gateway/',
      'server/webhooks/',
    ],
    purpose: 'Requests and who makes them, records, machines and the sessions on them',
    without: browser,
  },
  {
    // All that no other layer names, so that a new feature needs no entry.
    holds: ['server/'],
    purpose: 'Features, a folder each, and all that no other layer names',
    without: browser,
  },
  {
    holds: ['server/app.ts', 'server/start/', 'server/commands/', 'server/main.ts', 'server/cli.ts'],
    purpose: 'What composes and starts the server, and its commands',
    without: browser,
  },
]

/** What both sides may use, and what uses nothing of either. */
const common: Layer = {
  holds: [
    'src/schemas/',
    'src/domain/',
    'i18n/',
    // The status page is drawn by the server first, in the same colours.
    'src/components/theme/tokens.ts',
    'src/status/icon.ts',
    'src/status/statusTexts.ts',
  ],
  purpose: 'The contract, what console and server both compute, and all texts',
  without: [...browser.filter((name) => name !== 'ra-'), 'fastify', '@fastify/'],
}

/** Every layer by the side that it belongs to. `tests/unit/project/layers.test.ts` keeps imports to them. */
export const sides: readonly (readonly Layer[])[] = [
  [common, ...browserLayers],
  [common, ...serverLayers],
]

/** The layer that a file is in, by the longest entry that covers it. */
export function layerOf(path: string): Layer | undefined {
  const covering = sides
    .flat()
    .flatMap((layer) => layer.holds.map((entry) => ({ layer, entry })))
    .filter(({ entry }) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry))
  return covering.sort((a, b) => b.entry.length - a.entry.length)[0]?.layer
}

/** Files outside these folders belong to no layer: the manifest, and what the launcher shares with the server. */
const isOwn = (path: string) => /^(src|i18n|server)\//.test(path)

/** Whether a file may import that: from its own layer or one below it, on its own side. */
export function isAllowed({ file, target }: Import): boolean {
  const from = layerOf(file)
  if (!from) return false
  if (!isOwn(target)) return !from.without?.some((name) => target.startsWith(name))
  const to = layerOf(target)
  return sides.some((side) => to !== undefined && side.includes(to) && side.indexOf(to) <= side.indexOf(from))
}

/** The layers as CONTRIBUTING prints them. */
export function layersAsMarkdown(): string {
  const line = ({ holds, purpose }: Layer) => `${purpose}: ${holds.map((entry) => `\`${entry}\``).join(', ')}.`
  const numbered = (title: string, layers: readonly Layer[]) => [
    `${title}, the highest first:`,
    '',
    ...[...layers].reverse().map((layer) => `- ${line(layer)}`),
    '',
  ]
  return [
    ...numbered('The browser', browserLayers),
    ...numbered('The server', serverLayers),
    `Below both: ${line(common)}`,
  ].join('\n')
}
