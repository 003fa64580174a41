import type { Import } from './importLines.ts'

/**
 * Who may import whom, as `docs/decisions/who-may-import-whom.md` explains. A folder's room ends in `/`; the files
 * right below `src` are two rooms, by their ending. A room may import itself, other rooms, single files, and
 * packages; with `type ` before it, only types.
 */
const rooms: Record<string, readonly string[]> = {
  'src/schemas/': ['zod'],
  'src/live/': ['src/schemas/', 'react'],
  // What stands between screens and server.
  'src/*.ts': ['src/schemas/', 'type zod', 'ra-core', 'ra-data-simple-rest', '@tanstack/react-query'],
  // The entry, and what puts the console together: it knows everybody.
  'src/*.tsx': [
    ...[
      'src/*.ts',
      'src/schemas/',
      'src/resources/',
      'src/resources/engine/',
      'src/custom/',
      'src/custom/login/',
      'src/custom/doctor/',
      'i18n/',
    ],
    ...['react', 'react-dom', 'react-admin', 'react-router', 'type @tanstack/react-query'],
  ],
  'src/resources/engine/': [
    ...['src/schemas/', 'src/records/queryRows.ts', 'src/records/savedNames.ts', 'type zod'],
    ...['type src/dataProvider.ts', 'type src/records/queryPlan.ts', 'type src/records/changes.ts'],
    ...['react', 'react-admin', 'react-hook-form', '@mui/material', '@mui/icons-material', '@tanstack/react-virtual'],
  ],
  'src/resources/': [
    ...['src/schemas/', 'src/resources/engine/'],
    ...['src/custom/cells/', 'src/custom/inputs/', 'src/custom/actions/'],
  ],
  'src/custom/': [
    ...['src/schemas/', 'src/resources/engine/', 'src/live/', 'src/*.ts', 'src/custom/login/', 'type i18n/'],
    ...['react', 'react-dom', 'react-admin', 'react-hook-form', '@tanstack/react-query', 'cronstrue'],
    ...['@mui/material', '@mui/icons-material', '@xterm/', '@codemirror/', '@lezer/', '@dicebear/'],
    ...['@tanstack/react-virtual', 'uplot'],
  ],
  // Stands alone; what it needs from elsewhere is named file by file, or needs nothing itself.
  'src/custom/login/': [
    ...[
      'src/schemas/define/wireNames.ts',
      'src/*.ts',
      'src/custom/theme/tokens.ts',
      'src/custom/theme/Logo.tsx',
      'src/custom/theme/themeMode.ts',
    ],
    ...['i18n/locales.ts', 'react'],
  ],
  // As light as the sign-in form.
  'src/custom/doctor/': [
    ...[
      'src/schemas/define/wireNames.ts',
      'src/*.ts',
      'src/custom/login/',
      'src/custom/theme/Logo.tsx',
      'src/custom/theme/themeMode.ts',
    ],
    ...['i18n/locales.ts', 'react', 'type react-dom'],
  ],
  'i18n/': ['type src/schemas/', 'ra-i18n-polyglot', 'ra-language-english', 'type ra-core'],
  'server/': [
    ...[
      'src/schemas/',
      'package.json',
      'node:',
      'zod',
      'fastify',
      'fastify-plugin',
      '@fastify/cookie',
      '@fastify/static',
    ],
    ...['@fastify/swagger', '@fastify/websocket', '@fastify/http-proxy', 'jose', 'openid-client', 'systeminformation'],
    ...['ws', '@lydell/node-pty'],
  ],
}

/** What single files may import beyond their room. */
const licences: Record<string, readonly string[]> = {
  // Live figures are a part of a visit, and of whether the server is there.
  'src/app/lifetime.ts': ['src/live/'],
  'src/api/connectivity.ts': ['src/live/'],
  // React-admin passes on the router's hooks, but not its routes.
  'src/resources/engine/routes.tsx': ['react-router'],
  // The words of the command line are known before anything is installed.
  'server/cli.ts': ['scripts/bootstrap/usage.mjs'],
}

/** The room that a file is in. */
export function roomOf(path: string): string | undefined {
  const ending = /^src\/\w+(\.d)?(\.tsx?)$/.exec(path)?.[2]
  if (ending) return `src/*${ending}`
  return Object.keys(rooms)
    .filter((room) => room.endsWith('/') && path.startsWith(room))
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
  const room = roomOf(file) ?? ''
  return [room, ...(rooms[room] ?? []), ...(licences[file] ?? [])].some((entry) => {
    const onlyTypes = entry.startsWith('type ')
    return (isType || !onlyTypes) && covers(entry.replace('type ', ''), target)
  })
}
