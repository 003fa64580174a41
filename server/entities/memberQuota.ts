import type { Entity } from '../../src/schemas/define/entity.ts'
import type { ResidentTable } from '../db/table.ts'
import { teamOfOwner } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Row } from './row.ts'

interface Quota {
  entity: Entity
  table: ResidentTable<Row>
  /** Whose they are: a team counts as a member does. */
  userId: number
  /** The setting of the site. */
  recordsPerMember: number
}

/** Characters of all records of an entity that belong to one member: what makes everybody's list long. */
export const textPerMember = 16 * 1024 * 1024

const nounOf = ({ name }: Entity) => name.replaceAll('-', ' ')

/** To be called before a record of a member or a team is added. @throws ApiError when there is no room for another one */
export function checkRecordQuota({ entity, table, userId, recordsPerMember }: Quota): void {
  const most = Math.min(entity.perMember ?? Number.POSITIVE_INFINITY, recordsPerMember)
  if (table.count({ user_id: userId }) < most) return
  const whose = teamOfOwner(userId) > 0 ? 'a team' : 'a member'
  throw new ApiError(`${whose} may have at most ${most} records of the kind "${nounOf(entity)}": delete one first`)
}

/**
 * To be called in the transaction in which a record of a member was saved.
 * @param growth characters by which the record became longer; what becomes shorter is always saved
 * @throws ApiError when the records of the member are too long together
 */
export function checkTextQuota({ entity, table, userId }: Omit<Quota, 'recordsPerMember'>, growth: number): void {
  if (growth <= 0 || table.textLength({ user_id: userId }) <= textPerMember) return
  throw new ApiError(
    `the texts of a member's records of the kind "${nounOf(entity)}" may have at most ${textPerMember} characters ` +
      'together: shorten or delete some first',
  )
}
