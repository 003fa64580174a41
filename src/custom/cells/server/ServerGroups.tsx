import { groupNames } from '../groupNames.tsx'

const groups = groupNames('server-group', 'servers')

/** The names of the groups that a server is in. */
export const ServerGroups = groups.Cell

/** Sorts by the names shown; needs `related: ['server-group']`. */
export const serverGroupsSortValue = groups.sortValue
export const serverGroupsText = groups.text
