import { browserRooms, drawn, page } from './browserRooms.ts'
import type { Import } from './importLines.ts'
import type { Room } from './room.ts'
import { routes, server, serverRooms } from './serverRooms.ts'

/**
 * Every room, what it holds, and what it may import. `tests/unit/project/boundaries.test.ts` keeps it true, and
 * CONTRIBUTING prints it as the map of the project.
 */
export const rooms: Readonly<Record<string, Room>> = { ...browserRooms, ...serverRooms }

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
