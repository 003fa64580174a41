import type { Entity } from '../../src/schemas/define/entity.ts'
import type { ResidentTable } from '../db/table.ts'
import { type Person, teamOfOwner } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import type { Row } from './entityTable.ts'

/** Who adds a record, with the teams that they are in now. */
interface Maker {
  id: number
  teams: ReadonlySet<number>
}

interface Quota {
  entity: Entity
  table: ResidentTable<Row>
  /** Whose they are: a team counts as a member does. */
  userId: number
  /**
   * What they made for their teams counts as theirs as well: else each further team would raise their limit by another one.
   * Absent where nobody adds anything, as when a record is given.
   */
  maker?: Maker
  /** The setting of the site. */
  recordsPerMember: number
}

/** Who adds a record, for quotas. */
export const makerFor = (person: Person | undefined): Maker | undefined =>
  person && { id: person.id, teams: person.grants?.teams() ?? new Set() }

/** Characters of all records of an entity that belong to one member: what makes everybody's list long. */
export const textPerMember = 16 * 1024 * 1024

const nounOf = ({ name }: Entity) => name.replaceAll('-', ' ')

/** To be called before a record of a member or a team is added. @throws ApiError when there is no room for another one */
export function checkRecordQuota({ entity, table, userId, maker, recordsPerMember }: Quota): void {
  const most = Math.min(entity.perMember ?? Number.POSITIVE_INFINITY, recordsPerMember)
  const kind = nounOf(entity)
  if (table.count({ user_id: userId }) >= most) {
    throw new ApiError(
      teamOfOwner(userId) > 0
        ? `a team may have at most ${most} records of the kind "${kind}": delete one first`
        : `a member may have at most ${most} records of the kind "${kind}": delete one first`,
    )
  }
  if (!maker || table.count({ user_id: maker.id }) + madeForTeams(table, maker).length < most) return
  throw new ApiError(
    `a member may have at most ${most} records of the kind "${kind}", with those that they made for teams: delete one first`,
  )
}

/** What somebody made for teams that they are still in: of others they could delete nothing. */
const madeForTeams = (table: Quota['table'], { id, teams }: Maker) =>
  teams.size === 0 ? [] : table.find({ made_by: id }).filter(({ user_id }) => teams.has(teamOfOwner(user_id)))

/**
 * To be called in the transaction in which a record of a member was saved.
 * @param growth characters by which the record became longer; what becomes shorter is always saved
 * @throws ApiError when the records of the member are too long together
 */
export function checkTextQuota(
  { entity, table, userId, maker }: Omit<Quota, 'recordsPerMember'>,
  growth: number,
): void {
  if (growth <= 0) return
  const ofOwner = table.textLength({ user_id: userId })
  if (ofOwner <= textPerMember && (!maker || textsOf(table, maker) <= textPerMember)) return
  throw new ApiError(
    `the texts of a member's records of the kind "${nounOf(entity)}" may have at most ${textPerMember} characters ` +
      'together: shorten or delete some first',
  )
}

/** Characters of what is somebody's, and of what they made for their teams. */
function textsOf(table: Quota['table'], maker: Maker): number {
  const owners = new Set(madeForTeams(table, maker).map(({ user_id }) => user_id))
  return [...owners].reduce(
    (sum, user_id) => sum + table.textLength({ user_id, made_by: maker.id }),
    table.textLength({ user_id: maker.id }),
  )
}
