import { groupNames } from '../../../components/cells/groupNames.tsx'

const groups = groupNames('server-group', 'servers')

/** The names of a server's groups. */
export const ServerGroups = groups.Cell

/** Sorts by the names shown; needs `related: ['server-group']`. */
export const serverGroupsSortValue = groups.sortValue
export const serverGroupsText = groups.text
export const isInServerGroup = groups.matches
